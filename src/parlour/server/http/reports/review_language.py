"""Reviews in the language of their reader. They are computed and stored in English."""

import json
import math
from typing import Any

from pydantic import TypeAdapter

from parlour.insight.review import Review, reworded
from parlour.insight.review_text import review_texts
from parlour.languages import SOURCE_LANGUAGE, current_language
from parlour.server.table.messages import to_text
from parlour.statistics import Estimate

_REVIEW: TypeAdapter[Review] = TypeAdapter(Review)
_ESTIMATE = {"value", "low", "high"}


def in_reader_language(stored: str) -> str:
    """Return a stored review, as JSON, with its texts in the language of the current context."""
    if current_language() == SOURCE_LANGUAGE:
        return stored
    review = reworded(_REVIEW.validate_python(json.loads(stored, object_hook=_estimate)))
    return to_text({**review.to_json(), "texts": review_texts(review)})


def _estimate(values: dict[str, Any]) -> Any:
    """Return an estimate for its JSON values, whose infinite bounds are null; other values as they are."""
    if set(values) != _ESTIMATE:
        return values
    low, high = values["low"], values["high"]
    return Estimate(values["value"], -math.inf if low is None else low, math.inf if high is None else high)
