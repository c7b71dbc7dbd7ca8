"""What is not installed is named, with the command that installs it, and is no matter to the rest of the house."""

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


def said_without(hidden: list[str], source: str) -> str:
    """The last line that a program writes to standard error where some packages are missing."""
    program = HIDE.format(hidden=hidden) + source
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


class TestWhatIsMissing:
    def test_stable_baselines3_has_an_extra_of_its_own(self):
        said = said_without(["stable_baselines3"], "import parlour.envs.sb3")
        assert said.endswith("Stable-Baselines3 is not installed; install it with: pip install 'parlour[sb3]'")

    @pytest.mark.parametrize(("source", "hidden", "title"), NEEDS)
    def test_is_told_with_the_command_that_installs_it(self, source, hidden, title):
        said = f"{title} is not installed; install it with: pip install 'parlour[rl]'"
        assert said_without([hidden], source).endswith(said)

    def test_is_no_matter_to_those_who_do_not_ask_for_it(self):
        source = "import parlour, parlour.envs, parlour.cli; parlour.make('trick-walls').start(1)"
        assert said_without(["gymnasium", "pettingzoo", "PIL", "torch", "tensorboard", "ray"], source) == ""
