"""What every test shares: the games, and hypothesis kept short and repeatable."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "parlour", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("parlour")
