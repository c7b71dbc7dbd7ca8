"""Findings of a study: its estimates, as an answer in words and as JSON."""

import sys
from typing import Any

from parlour.statistics import Estimate
from parlour.studies.comparisons import Difference
from parlour.studies.estimates import StudyEstimates
from parlour.studies.games import LineUp
from parlour.studies.published_measures import published_values
from parlour.studies.words import text


class Findings(StudyEstimates):
    """Estimates from a study's deals, with their report as text and JSON."""

    def text(self) -> str:
        """Return the answer in words and a table of the variations, for a terminal."""
        return text(self)

    def to_json(self) -> dict[str, Any]:
        """Return the findings as JSON values."""
        study = self.study
        return {
            **{key: value for key, value in study.header().items() if key not in ("format", "code", "variations")},
            "deals": self.deals,
            "games": self.games,
            **({"until": self._until_json()} if self.precision else {}),
            "variations": [self._variation_json(number) for number in range(len(study.setups))],
            "differences": [self._pair_json(each) for each in self.differences],
            "pairs": [self._pair_json(each) for each in self.pairs],
            "effects": [self._effect_json(each) for each in self.effects],
            **({"people": self.people.to_json()} if self.people else {}),
            "rules": [self._pair_json(each) for each in self.rule_differences if each.deals],
        }

    def _until_json(self) -> list[dict[str, Any]]:
        return [
            {
                "variation": self.study.setups[each.variation].variation,
                "measure": each.target.measure.name,
                "within": each.target.within,
                "reached": each.is_reached,
                "anytime": each.estimate.to_json(),
            }
            for each in (self.precision.intervals if self.precision else ())
        ]

    def _pair_json(self, difference: Difference) -> dict[str, Any]:
        setups = self.study.setups
        return {
            "variation": setups[difference.variation].variation,
            "against": setups[difference.base].variation,
            **self._difference_json(difference),
        }

    def _effect_json(self, difference: Difference) -> dict[str, Any]:
        contrast = difference.contrast
        changes = [{"of": each.factor, "from": each.before, "to": each.after} for each in contrast.changes]
        return {"kind": contrast.kind, "changes": changes, **self._difference_json(difference)}

    def _difference_json(self, difference: Difference) -> dict[str, Any]:
        return {
            "bots": [self.study.bots[bot] for bot in difference.line_up],
            "measure": difference.measure.name,
            "by": difference.by.to_json(),
            "deals": difference.deals,
            "p_value": _significant_digits(difference.p_value),
            "adjusted_p_value": _significant_digits(difference.adjusted_p_value),
            "significant": difference.significant,
        }

    def _variation_json(self, number: int) -> dict[str, Any]:
        setup, bots = self.study.setups[number], self.study.bots
        return {
            "variation": setup.variation,
            "players": setup.players,
            "options": setup.chosen,
            **({"luck": luck.to_json()} if (luck := self.luck(number)) else {}),
            "published": {each.name: estimate.to_json() for each, estimate in published_values(self, number)},
            "sides": [list(side) for side in self.study.contests[number].sides],
            **({"never_fired": self.unfired_clauses(number)} if self.traced_deals else {}),
            "played": [
                {
                    "bots": [bots[bot] for bot in line_up],
                    **{each.name: self.estimate(number, line_up, each).to_json() for each in self.measures_of(line_up)},
                    **(self._head_to_head_json if len(line_up) > 1 else self._self_play_json)(number, line_up),
                }
                for line_up in self.line_ups
            ],
        }

    def _self_play_json(self, number: int, line_up: LineUp) -> dict[str, Any]:
        fields: dict[str, Any] = {"endings": _json(self.endings(number, line_up))}
        if self.evaluated_deals > 1 and line_up == (self.study.strongest,):
            fields["curve"] = self.curve(number).round(6).tolist()
        if self.traced_deals > 1:
            fields["clauses"] = _json(self.clause_frequencies(number, line_up))
            fields["points"] = _json(self.sources(number, line_up))
        return {
            **fields,
            "balance": self.balance(number, line_up).to_json(),
            "side_shares": [share.to_json() for share in self.side_shares(number, line_up)],
        }

    def _head_to_head_json(self, number: int, line_up: LineUp) -> dict[str, Any]:
        deal, skill = self.parts(number, line_up)
        duplicate = self.duplicate(number, line_up)
        return {"deal_part": deal.to_json(), "skill_part": skill.to_json(), "duplicate": duplicate.to_json()}


def _significant_digits(p_value: float) -> float:
    """Return a p-value with four significant digits; never 0, so that it has a logarithm."""
    return float(f"{max(p_value, sys.float_info.min):.4g}")


def _json(estimates: dict[str, Estimate]) -> dict[str, Any]:
    return {name: estimate.to_json() for name, estimate in estimates.items()}
