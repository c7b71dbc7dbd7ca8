"""Entry point of the command ``parlour``, and of ``python -m parlour`` for systems without it on the path."""

import signal
import sys

from parlour.interrupts import STOPPED


def main() -> None:
    """Run the command line. Ctrl-C during its imports ends it as later: with one line and the status 130."""
    try:
        from parlour.cli import main as run

        run(prog_name="parlour")
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(STOPPED)
    except SystemExit as end:
        if end.code == STOPPED:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # another Ctrl-C ends this process without a traceback
        raise


if __name__ == "__main__":
    main()
