"""``python -m parlour.cli``, where the command ``parlour`` isn't on the path."""

from parlour.cli import main

if __name__ == "__main__":
    main(prog_name="parlour")
