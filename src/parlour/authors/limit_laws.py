"""Law on the declared limits of the numbers of a state, by which learning code scales tensors."""

from parlour.authors.laws import viewer_text
from parlour.engine.match import Match


def check_limits(match: Match) -> str:
    """Every number of an observation's tensor lies within the limits that its field declares."""
    if match.game.variation_of:  # has the fields of its original, whatever the changed clauses score
        return ""
    for seat in range(match.players):
        tensor = match.observation(seat).tensor
        for plane in match.setup.observation_planes:
            least, most = plane.limits
            cells = tensor[plane.slice]
            if cells.min() < least or cells.max() > most:
                wrong = cells.max() if cells.max() > most else cells.min()
                declared = f"outside the limits {least:g} to {most:g} that STATE declares"
                return f"{viewer_text(seat)} observes {wrong:g} in {plane.name}, {declared}"
    return ""
