"""What the server says of itself."""

import logging
import traceback

log = logging.getLogger("parlour.server")


def note_failure(what: str, error: BaseException) -> None:
    """Log where something failed, without what it spoke of: that may be somebody's cards."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "unknown place"
    log.error("%s: %s at %s", what, type(error).__name__, place)
