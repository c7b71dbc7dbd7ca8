"""Entry point ``python -m parlour``, for systems without the command ``parlour`` on the path."""

from parlour.cli import main

if __name__ == "__main__":
    main(prog_name="parlour")
