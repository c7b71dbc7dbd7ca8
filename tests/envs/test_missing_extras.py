"""Missing extras: the error names the package and the command that installs it; all else works."""

import subprocess
import sys

import pytest

HIDE = """
import sys
for name in {hidden}:
    sys.modules[name] = None
"""
NEEDS = [
    ("import parlour.envs.pettingzoo", "pettingzoo", "PettingZoo"),
    ("import parlour.envs.gymnasium", "gymnasium", "Gymnasium"),
    ("import parlour.envs.vector", "gymnasium", "Gymnasium"),
    ("from parlour.envs.rendering import as_picture; as_picture(None)", "PIL", "Pillow"),
]


def last_error_without(hidden: list[str], source: str) -> str:
    """Return the last line on standard error of a program that runs without some packages."""
    program = HIDE.format(hidden=hidden) + source
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


class TestMissingPackage:
    def test_stable_baselines3_has_its_own_extra(self):
        said = last_error_without(["stable_baselines3"], "import parlour.envs.sb3")
        assert said.endswith("Stable-Baselines3 is not installed; install it with: pip install 'parlour[sb3]'")

    @pytest.mark.parametrize(("source", "hidden", "title"), NEEDS)
    def test_the_error_has_the_command_that_installs_it(self, source, hidden, title):
        said = f"{title} is not installed; install it with: pip install 'parlour[rl]'"
        assert last_error_without([hidden], source).endswith(said)

    def test_does_not_affect_other_imports(self):
        source = "import parlour, parlour.envs, parlour.cli; parlour.make('trick-walls').start(1)"
        assert last_error_without(["gymnasium", "pettingzoo", "PIL", "torch", "tensorboard", "ray"], source) == ""
