"""Answer of a study in plain words: significant differences, dependence on the players, open questions."""

import math

from parlour.bots.external import OPEN
from parlour.bots.kinds import split_kinds
from parlour.engine.validation import counted
from parlour.inference import FEWEST
from parlour.render.words import capitalized
from parlour.statistics import Estimate
from parlour.studies.comparisons import Difference, sort_by_p_value
from parlour.studies.contrasts import setting_text
from parlour.studies.effect_words import effects_answer, strengths, strengths_text
from parlour.studies.estimates import StudyEstimates
from parlour.studies.labels import (
    MOST_NAMED,
    absolute,
    interval_text,
    listed,
    listed_names,
    merged_paragraphs,
    names,
    number_text,
    numbers_text,
)
from parlour.studies.measures import EDGE, Measure
from parlour.studies.people.comparison import people_text

VERDICT_DEALS = 40
"""Usual minimum number of evaluated deals for a difference beyond doubt, among the comparisons of a study."""
TARGET_PRECISION = 1.0
"""Target precision of the first player's advantage, in points of 100 games."""


def answer(findings: StudyEstimates) -> list[str]:
    """Return the answer as paragraphs.

    A summary, the changes of each variation, whether they depend on the players, and the first variation's properties.
    """
    by_strength = [strengths(findings)] if any(each.significant for each in findings.differences) else []
    endings = [] if len(findings.study.setups) == 1 else _all_endings(findings)
    return [
        *_wrong_order(findings),
        *_target_measures(findings),
        _summary(findings),
        *_comparisons(findings),
        *_equal_games(findings),
        *_too_few(findings),
        *_too_few_evaluated(findings),
        *effects_answer(findings),
        *by_strength,
        *endings,
        _first_variation(findings),
        *_luck(findings),
    ]


def _target_measures(findings: StudyEstimates) -> list[str]:
    """Return the measures named by ``--until`` with their intervals, as a sentence."""
    if findings.precision is None:
        return []
    shown, found = names(findings), []
    for each in findings.precision.intervals:
        measure = each.target.measure
        short = "" if each.is_reached else f", not yet {each.target.text}"
        title = f"{measure.title[0].lower()}{measure.title[1:]}"
        found.append(
            f"{shown[each.variation]}: {title} {interval_text(measure, each.estimate, measure.kind == EDGE)}{short}"
        )
    return [f"By intervals valid at any number of deals: {'; '.join(found)}."]


def _wrong_order(findings: StudyEstimates) -> list[str]:
    """Return a warning about bots that are listed as stronger than a bot that beats them."""
    bots, mistakes = findings.study.bots, []
    for bot in range(1, len(bots)):
        line_up = findings.study.head_to_head(bot)
        share = findings.estimate(0, line_up, _measure(findings, "skill", head_to_head=True))
        if share.high < 0 and not split_kinds(bots[bot])[1]:
            mistakes.append(f"{bots[bot]} is listed as stronger than {bots[line_up[1]]}, but loses to it")
    if not mistakes:
        return []
    return [f"The order of the bots is wrong: {'; '.join(mistakes)}. List them from weak to strong."]


def _too_few(findings: StudyEstimates) -> list[str]:
    """Return a paragraph on the measures of the strongest bot that differ in too few deals for a verdict.

    It leaves out chances to win if too few deals have them at all.
    """
    top, shown = (_strongest(findings),), names(findings)
    evaluated = findings.evaluated_deals >= FEWEST
    notes: list[tuple[str, str]] = []
    for variation, name in enumerate(shown):
        few = [
            f"{each.measure.title[0].lower()}{each.measure.title[1:]} ({counted(each.deals, 'deal')})"
            for each in findings.differences
            if each.variation == variation and each.line_up == top and 0 < each.deals < FEWEST and not each.significant
            if evaluated or not each.measure.needs_win_probability
        ]
        if few:
            notes.append((name, ", ".join(few)))
    if not notes:
        return []
    [(name, measures), *others] = notes
    more = "".join(f" Likewise of {other}: {its_measures}." for other, its_measures in others)
    return [f"Of {name} only a few deals differ from {shown[0]}, too few to say more: {measures}.{more}"]


def _too_few_evaluated(findings: StudyEstimates) -> list[str]:
    """Return a sentence on chances to win if they are known of some deals, but of too few to compare variations."""
    if len(findings.study.setups) == 1 or not 1 < findings.evaluated_deals < FEWEST:
        return []
    return [
        f"Chances to win are evaluated in {findings.evaluated_deals} deals (--evaluated-deals). A comparison of "
        f"variations by them needs at least {FEWEST}; a difference beyond doubt usually needs {VERDICT_DEALS} or more."
    ]


def _all_endings(findings: StudyEstimates) -> list[str]:
    """Return a paragraph on the endings of each variation's games, if those of any variation end in several ways."""
    every = [findings.endings(number, (_strongest(findings),)) for number in range(len(findings.study.setups))]
    if max(map(len, every)) < 2:
        return []
    sentences = [
        f"{'Likewise' if number else 'Ends of 100 games'} with {name}: "
        f"{'; '.join(f'{_percents(share)} because {way}' for way, share in ways.items())}."
        for number, (name, ways) in enumerate(zip(names(findings), every, strict=True))
    ]
    return [" ".join(sentences)]


def _percents(share: Estimate, unit: str = "") -> str:
    """Return ``"31 (20 to 40)"``; below 0 are only parts of a variance, by chance, which are displayed as 0."""
    value, low, high = (f"{100 * max(0.0, each):.0f}" for each in (share.value, share.low, share.high))
    return f"{value}{unit} ({low} to {high})"


def _strongest(findings: StudyEstimates) -> int:
    return findings.study.strongest


def _measure(findings: StudyEstimates, name: str, head_to_head: bool = False) -> Measure:
    line_up = (1, 0) if head_to_head else (_strongest(findings),)
    return next(each for each in findings.measures_of(line_up) if each.name == name)


def _summary(findings: StudyEstimates) -> str:
    """Return the summary: differences, fairness of the first variation, and deals still needed."""
    sentences = [_difference_summary(findings)] if len(findings.study.setups) > 1 else []
    return " ".join([*sentences, _fairness(findings), _deals_needed(findings)])


def _difference_summary(findings: StudyEstimates) -> str:
    first, *others = names(findings)
    base = listed_names([first])
    significant, deals = _differing_variations(findings), counted(findings.deals, "deal")
    alike = [name for name in others if name not in significant]
    if not significant and not findings.conclusive:
        return (
            f"{capitalized(deals)} {'is' if findings.deals == 1 else 'are'} too few to say whether anything differs "
            f"from {base}: with {counted(len(findings.differences), 'comparison')} not even a difference in every "
            "deal would be beyond doubt."
        )
    if not significant:
        return f"In {deals} nothing differs beyond doubt from {base} with {listed_names(alike)}."
    rest = f" Nothing does with {listed_names(alike)}." if alike else ""
    return f"In {deals} something differs beyond doubt from {base} with {listed_names(significant)}.{rest}"


def _differing_variations(findings: StudyEstimates) -> list[str]:
    """Return the variations that differ beyond doubt among the strongest bots."""
    shown = names(findings)
    return [shown[variation] for variation in sorted({each.variation for each in _significant_differences(findings)})]


def _significant_differences(findings: StudyEstimates) -> "list[Difference]":
    """Return the differences beyond doubt among the strongest bots, the smallest p-value first."""
    top = _strongest(findings)
    with_first = [*findings.differences, *(each for each in findings.rule_differences if each.base == 0)]
    return sort_by_p_value(each for each in with_first if each.significant and each.line_up[0] == top)


def _fairness(findings: StudyEstimates) -> str:
    """Return the first player's advantage in the first variation, with its interval."""
    top = (_strongest(findings),)
    edge = _measure(findings, "first_player")
    first, played = findings.estimate(0, top, edge), f"played by {findings.line_up_text(top)}"
    title = f"{findings.study.game.title} ({_first_name(findings)}), {played}"
    if first.low <= 0 <= first.high:
        return f"{title}: no significant advantage of the first player (it wins {_either_way(edge, first)})."
    return f"{title}: the first player wins {_beyond_even(edge, first)}."


def _first_name(findings: StudyEstimates) -> str:
    """Return the name of the first variation; of the game with its defaults with those that other variations change."""
    name, grid = names(findings)[0], findings.grid
    settings = [setting_text(factor, grid.value(0, factor)) for factor in grid.defaults if name == "defaults"]
    return ": ".join([name, ", ".join(settings)]) if settings else name


def _either_way(measure: Measure, edge: Estimate) -> str:
    """Return ``"between 14.1 fewer and 16.4 more of 100 games than an even share"``, for an interval containing 0."""
    fewer, more = (number_text(measure, abs(each)) for each in (edge.low, edge.high))
    return f"between {fewer} fewer and {more} more of 100 games than an even share"


def _beyond_even(measure: Measure, edge: Estimate) -> str:
    """Return ``"12.5 of 100 games more than an even share (2.1 to 21.9)"``, for an interval that excludes 0."""
    value, low, high = numbers_text(measure, absolute(edge))
    return f"{value} of 100 games {'more' if edge.value > 0 else 'fewer'} than an even share ({low} to {high})"


def _first_variation(findings: StudyEstimates) -> str:
    """Return the properties of the first variation among the strongest bots."""
    top = (_strongest(findings),)
    minutes, forced = (findings.estimate(0, top, _measure(findings, name)) for name in ("minutes", "forced"))
    summary = (
        f"With {names(findings)[0]} a game takes people about {_round_minutes(minutes.value)}; "
        f"{f'{100 * forced.value:.0f} of 100 decisions are' if forced.value else 'no decision is'} forced."
    )
    endings = _endings(findings) if len(findings.study.setups) == 1 else []
    return " ".join([summary, *endings, *_course(findings), *_skill(findings), *_secrecy(findings), *_kinds(findings)])


def _round_minutes(minutes: float) -> str:
    """Return ``"5 minutes"``, rounded to the minute because it is an estimate."""
    return counted(max(1, round(minutes)), "minute")


def _endings(findings: StudyEstimates) -> list[str]:
    """Return the endings of the first variation's games, if there are several."""
    ways = findings.endings(0, (_strongest(findings),))
    if len(ways) < 2:
        return []
    often, *others = (f"{100 * share.value:.0f}" for share in ways.values())
    first, *more = ways
    parts = [
        f"of 100 games {often} end because {first}",
        *(f"{n} because {way}" for n, way in zip(others, more, strict=True)),
    ]
    return [f"{capitalized(', '.join(parts))}."]


def _course(findings: StudyEstimates) -> list[str]:
    """Return the course of a game of the first variation: by score, and by win probability if it was estimated."""
    top = (_strongest(findings),)

    def of(name: str) -> str:
        measure = _measure(findings, name)
        return interval_text(measure, findings.estimate(0, top, measure))

    notes = [f"By the score the lead changes hands {of('lead_changes')} times a game."] if findings.has_leads else []
    if findings.evaluated_deals > 1:
        drawn = findings.evaluated_deals - len(findings.curves(0))
        count = "counts" if drawn == 1 else "count"
        without = f" {counted(drawn, 'game')} without a sole winner {count} as decided at the end."
        notes.append(
            f"By win probabilities, evaluated in {findings.evaluated_deals} games, a game is decided after "
            f"{of('decisive')} of 100 decisions, and {of('comeback')} of 100 games are won by a side that had half an "
            f"even chance or less half-way.{without if drawn else ''}"
        )
    return notes


def _skill(findings: StudyEstimates) -> list[str]:
    top = _strongest(findings)
    if top == 0:
        return []
    line_up, measure = findings.study.head_to_head(top), _measure(findings, "skill", head_to_head=True)
    share = findings.estimate(0, line_up, measure)
    better, worse = (findings.study.bots[bot] for bot in line_up)
    result = (
        f"{capitalized(better)} does not play significantly better than {worse}: it wins {_either_way(measure, share)}"
        if share.low <= 0 <= share.high
        else f"{capitalized(better)} against {worse} wins {_beyond_even(measure, share)}"
    )
    if not findings.results_vary(0, line_up):
        return [f"{result}."]
    deal, skill = (_percents(part, "\N{NO-BREAK SPACE}%") for part in findings.parts(0, line_up))
    return [f"{result}; the deal decides {deal} of the result, and who plays {skill}."]


def _luck(findings: StudyEstimates) -> list[str]:
    """Return the share of the result that cards decide, by repeated deals, and its difference from the deal's share."""
    found = [(name, findings.luck(number)) for number, name in enumerate(names(findings))]
    parts = [f"{_percents(luck)} with {name}" for name, luck in found if luck]
    if not parts:
        return []
    top = _strongest(findings)
    has_deal_part = top > 0 and findings.results_vary(0, findings.study.head_to_head(top))
    smaller = " The deal's part above is usually smaller: it has only the effect that both bots share."
    return [
        f"Of 100 parts of the result of {findings.line_up_text((top,))} the cards decide {listed(parts)}, by deals "
        f"played {findings.study.replicates} times (Cloud and Laber). This counts the cards' effect for these players "
        f"in these seats.{smaller if has_deal_part else ''}"
    ]


def _secrecy(findings: StudyEstimates) -> list[str]:
    """Return the value of seeing all cards, if a bot with open cards played against the same bot without them."""
    bots, measure = findings.study.bots, _measure(findings, "skill", head_to_head=True)
    every = (findings.study.head_to_head(bot) for bot in range(1, len(bots)))
    head_to_head = [(bot, rival) for bot, rival in every if bots[bot] == OPEN + bots[rival]]
    return [
        f"To see all cards is worth {interval_text(measure, findings.estimate(0, line_up, measure), True)} of 100 "
        f"games to {bots[line_up[1]]}."
        for line_up in head_to_head
    ]


def _kinds(findings: StudyEstimates) -> list[str]:
    """Return the wins of each kind of player against the same bot without it, in each variation, as a sentence."""
    bots, measure = findings.study.bots, _measure(findings, "skill", head_to_head=True)
    several, found = len(findings.study.setups) > 1, []
    for challenger, rival in (findings.study.head_to_head(bot) for bot in range(1, len(bots))):
        plain, kinds = split_kinds(bots[challenger])
        if kinds and plain == bots[rival]:
            won = [
                interval_text(measure, findings.estimate(number, (challenger, rival), measure), True)
                + (f" with {name}" if several else "")
                for number, name in list(enumerate(names(findings)))[:MOST_NAMED]
            ]
            found.append(f"{bots[challenger]} {', '.join(won)}")
    if not found:
        return []
    return [f"Of 100 games against the bot without its kind, more or fewer than an even share: {'; '.join(found)}."]


def _comparisons(findings: StudyEstimates) -> list[str]:
    """Return paragraphs on the variations with differences beyond doubt, the smallest p-value first."""
    shown, every = names(findings), _significant_differences(findings)
    found = [
        (f"{name} against {shown[0]}", name, significant)
        for variation, name in enumerate(shown)
        if (significant := [each for each in every if each.variation == variation])
    ]
    return merged_paragraphs(findings, found, MOST_NAMED)


def _equal_games(findings: StudyEstimates) -> list[str]:
    """Return a paragraph on the variations in which the strongest bot played the same games."""
    line_up, shown = (_strongest(findings),), names(findings)
    groups: list[list[int]] = []
    for variation in range(len(shown)):
        games = findings.cell(variation, line_up)
        alike = next((group for group in groups if findings.cell(group[0], line_up).are_alike(games)), None)
        if alike:
            alike.append(variation)
        else:
            groups.append([variation])
    found = [
        f"with {listed_names(shown[variation] for variation in others)} as with {listed_names([shown[first]])}"
        for first, *others in groups
        if others
    ]
    if not found:
        return []
    return [
        f"Played by {findings.line_up_text(line_up)}, every game in {counted(findings.deals, 'deal')} was the same "
        f"{'; and '.join(found)}: the same points, decisions, choices and ending."
    ]


def more_deals(estimate: Estimate, deals: int, reach: float) -> int:
    """Return the number of additional deals that narrow the interval to a half-width of ``reach``; 0 if none."""
    now = (estimate.high - estimate.low) / 2
    return max(0, math.ceil(round(deals * (now / reach) ** 2 - deals, 6))) if math.isfinite(now) else 0


def _deals_needed(findings: StudyEstimates) -> str:
    """Return the sentence on the deals still needed to know the first player's advantage in every variation."""
    measure = _measure(findings, "first_player")
    line_up = (_strongest(findings),)
    needed = max(
        more_deals(findings.estimate(variation, line_up, measure), findings.deals, TARGET_PRECISION / 100)
        for variation in range(len(findings.study.setups))
    )
    if not needed:
        return "The first player's advantage is known to a point of 100 games."
    about = round(needed, -len(str(needed)) + 2)
    study = findings.study
    repeated = min(about, max(0, study.replicated_deals - findings.deals))
    later = about - repeated
    games = repeated * len(study.jobs(0)) + later * len(study.jobs(study.replicated_deals))
    return (
        f"To know the first player's advantage to a point of 100 games, about {counted(about, 'more deal')} "
        f"{'is' if about == 1 else 'are'} needed, which is {games:,} games."
    )


def text(findings: StudyEstimates) -> str:
    """Return the answer and a table of the variations, for a terminal."""
    study, columns = findings.study, names(findings)
    line_up = (_strongest(findings),)
    shown = list(findings.measures_of(line_up))
    wide = max(len(f"{each.title}, {each.unit}") for each in shown)
    lines = [
        f"{study.game.title}: {counted(len(columns), 'variation')}, {counted(findings.deals, 'deal')}, "
        f"{counted(findings.games, 'game')}",
        *(f"\n{paragraph}" for paragraph in answer(findings)),
        f"\nAmong {findings.line_up_text(line_up)}:",
        *(f"  {number}  {name}" for number, name in enumerate(columns, 1)),
        "  " + " " * wide + "".join(f"{number:>9}" for number in range(1, len(columns) + 1)),
    ]
    for measure in shown:
        values = (findings.estimate(variation, line_up, measure).value for variation in range(len(columns)))
        values_text = "".join(f"{number_text(measure, value):>9}" for value in values)
        lines.append(f"  {measure.title + ', ' + measure.unit:{wide}}{values_text}")
    return "\n".join([*lines, *strengths_text(findings), *people_text(findings)])
