"""Entry point of the command ``parlour``, and of ``python -m parlour`` for systems without it on the path."""

import sys


def main() -> None:
    """Run the command line. Ctrl-C during its imports ends it as later: with one line and the status 130."""
    try:
        from parlour.cli import main as run
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
    run(prog_name="parlour")


if __name__ == "__main__":
    main()
