"""The folder of the page's files, which the server sends and the file of a review contains."""

from pathlib import Path

PAGE = Path(__file__).parents[1] / "server" / "page"
