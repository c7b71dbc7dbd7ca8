"""A review as a page of its own: the graph, the sums, the decisions; one file, with nothing from elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from parlour.games import find_game
from parlour.insight.course import WHOLE, Course, Decision
from parlour.insight.review import Review
from parlour.insight.told import MARK_WORDS, decision_words, outcome, percent, rerun_words, signed

LEFT, RIGHT, TOP, BOTTOM = 46, 14, 10, 26
"""The room around a graph, in its own units, which are pixels where it is not stretched."""
COLOURS = ("#2f6fb0", "#c2453d", "#3c8a4e", "#9a6a12", "#7b4fa3", "#3f7f86")
"""Of the seats, in order: told apart in light and dark, and by their dashes by those who see no colours."""
DASHES = ("", "6 3", "2 3", "10 3 2 3", "1 4", "12 4")
DARK_COLOURS = ("#7fb2e5", "#ef8f87", "#7fc98f", "#dcb05a", "#bd9be0", "#7cc2c9")

GRAPH_STYLE = """
:root { color-scheme: light dark; --paper: #fbf9f4; --ink: #22262b; --faint: #666c73; --line: #d9d4c8; --card: #fff;
  LIGHT }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --ink: #e7e4dc; --faint: #a0a5ab; --line: #3a4047;
  --card: #1f2429; DARK } }
text { font: 12px system-ui, sans-serif; fill: var(--faint); }
.grid { stroke: var(--line); stroke-width: 1; } .half { stroke: var(--faint); stroke-dasharray: 3 4; }
.course { fill: none; stroke-width: 2; stroke-linejoin: round; } .band { opacity: .12; stroke: none; }
.dot { stroke: var(--paper); stroke-width: 1.5; }
"""
STYLE = """
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 0; } p { margin: .4rem 0; }
.faint { color: var(--faint); } .small { font-size: .875rem; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; display: block; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; } .key svg { width: 2rem; height: .75rem; display: inline; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem;
  margin: 1rem 0; }
.sum { display: flex; flex-wrap: wrap; gap: .3rem .5rem; align-items: baseline; padding: 0; margin: .5rem 0;
  list-style: none; }
.sum li { display: flex; flex-direction: column; border-left: 3px solid var(--line); padding: 0 .6rem; }
.sum b { font-variant-numeric: tabular-nums; } .sum span { color: var(--faint); font-size: .8rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 500; font-size: .8rem; } .mark { font-weight: 600; white-space: nowrap; }
.blunder { color: var(--bad); } .mistake { color: var(--poor); } .find { color: var(--good); }
.narrow { display: none; } .span { color: var(--faint); white-space: nowrap; }
@media (max-width: 40rem) { .wide, .wins { display: none; } .narrow { display: block; } .span { display: block; }
  td, th { padding-right: .4rem; } }
code { font: inherit; font-weight: 600; } summary { cursor: pointer; padding: .3rem 0; }
"""


def review_page(review: Review) -> str:
    """The page as HTML."""
    title = f"{find_game(review.game).title}: a review"
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(outcome(review))}</p>",
        graph(review),
        *(course_section(course) for course in review.courses),
        reruns(review),
        meanings(review),
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{graph_style()}{STYLE}</style>'
        f"</head>\n<body><main>\n{chr(10).join(parts)}\n</main></body></html>\n"
    )


def graph_style() -> str:
    """The style sheet of the graph with the seats' colours."""
    marks = ("--bad: #b3261e; --poor: #9a5b00; --good: #22703c;", "--bad: #ff8f85; --poor: #f0b45b; --good: #7fd197;")
    sheet = GRAPH_STYLE
    for word, colours, mark in (("LIGHT", COLOURS, marks[0]), ("DARK", DARK_COLOURS, marks[1])):
        own = " ".join(f"--seat{seat}: {colour};" for seat, colour in enumerate(colours))
        sheet = sheet.replace(word, f"{own} {mark}")
    return sheet


@dataclass(frozen=True)
class Graph:
    """The ground on which chances are drawn over so many events."""

    name: str
    width: int
    height: int
    events: int

    def x(self, seen: int) -> float:
        """Where a number of events lies."""
        return round(LEFT + (self.width - LEFT - RIGHT) * seen / max(1, self.events), 1)

    def y(self, chance: int) -> float:
        """Where a chance lies."""
        return round(TOP + (self.height - TOP - BOTTOM) * (1 - chance / WHOLE), 1)

    def points(self, chances: Sequence[int]) -> list[str]:
        """Chances by the number of events, as SVG's points."""
        return [f"{self.x(seen)},{self.y(chance)}" for seen, chance in enumerate(chances)]

    def grid(self) -> str:
        """Lines at every quarter, and the numbers of events."""
        levels = "".join(
            f'<line class="{"grid half" if level == WHOLE // 2 else "grid"}" x1="{LEFT}" x2="{self.width - RIGHT}" '
            f'y1="{self.y(level)}" y2="{self.y(level)}"/>'
            f'<text x="{LEFT - 6}" y="{self.y(level) + 4}" text-anchor="end">{level // 10} %</text>'
            for level in range(0, WHOLE + 1, WHOLE // 4)
        )
        wished = self.width / 70
        step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1 << 60) if self.events / step < wished)
        return levels + "".join(
            f'<text x="{self.x(seen)}" y="{self.height - 8}" text-anchor="middle">{seen}</text>'
            for seen in range(0, self.events + 1, step)
        )

    def course(self, course: Course) -> str:
        """One seat's line with its interval and its marked decisions."""
        colour = f"var(--seat{course.seat})"
        dots = "".join(
            f'<circle class="dot" cx="{self.x(each.seen)}" cy="{self.y(course.chances[each.seen])}" r="4.5" '
            f'fill="{colour}"><title>{escape(f"after {each.seen} events: {each.mark}. {decision_words(each)}")}'
            "</title></circle>"
            for each in course.decisions
            if each.mark
        )
        band = " ".join([*self.points(course.high), *self.points(course.low)[::-1]])
        return (
            f'<polygon class="band" fill="{colour}" points="{band}"/>'
            f'<polyline class="course" stroke="{colour}" stroke-dasharray="{DASHES[course.seat]}" '
            f'points="{" ".join(self.points(course.chances))}"/>{dots}'
        )

    def inside(self, courses: Sequence[Course]) -> str:
        """All lines."""
        return self.grid() + "".join(self.course(course) for course in courses)

    def svg(self, courses: Sequence[Course]) -> str:
        """The graph as a part of a page."""
        return (
            f'<svg class="{self.name}" viewBox="0 0 {self.width} {self.height}" role="img" '
            f'aria-label="Each seat\'s chance to win after each event">{self.inside(courses)}</svg>'
        )


def graph(review: Review) -> str:
    """The chances to win over the events, a line for each seat, drawn for wide windows and for narrow ones."""
    last = len(review.events)
    drawn = "".join(
        drawing.svg(review.courses) for drawing in (Graph("wide", 900, 340, last), Graph("narrow", 360, 260, last))
    )
    key = "".join(
        f'<span><svg viewBox="0 0 32 12" aria-hidden="true">{sample(each, 0, 6)}</svg> {escape(each.name)}</span>'
        for each in review.courses
    )
    return (
        f'<figure>{drawn}<figcaption><div class="key">{key}</div><span class="faint small">Each seat’s chance to win '
        "after each event, as it could know it then, with its interval. Dots are the decisions that are marked below."
        "</span></figcaption></figure>"
    )


def sample(course: Course, x: int, y: int) -> str:
    """A piece of a seat's line, for the key."""
    return (
        f'<line x1="{x}" x2="{x + 32}" y1="{y}" y2="{y}" stroke-width="2" stroke="var(--seat{course.seat})" '
        f'stroke-dasharray="{DASHES[course.seat]}"/>'
    )


def graph_file(review: Review) -> str:
    """The graph as an SVG file of its own, the names of the seats below it."""
    drawing = Graph("alone", 320, 220, len(review.events))
    heights = [drawing.height + 14 + 20 * at for at in range(len(review.courses))]
    key = "".join(
        f'{sample(each, LEFT, y)}<text x="{LEFT + 40}" y="{y + 4}">{escape(each.name)}</text>'
        for each, y in zip(review.courses, heights, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width} {heights[-1] + 14}">'
        f"<style>{graph_style()}</style>{drawing.inside(review.courses)}{key}</svg>\n"
    )


def course_section(course: Course) -> str:
    """What a seat's result came from, and its decisions."""
    sums = course.sums
    terms = (
        (percent(sums.start), "at the start"),
        (signed(sums.chance), "by chance"),
        (signed(sums.others), "by what others did"),
        (signed(sums.own), "by own decisions"),
        (percent(sums.result), "in the end"),
    )
    row = "".join(f"<li><b>{escape(number)}</b><span>{what}</span></li>" for number, what in terms)
    own = f"The best decisions had {signed(sums.offered)} over the rule of thumb; {signed(-sums.lost)} of it was lost."
    marked = [decision for decision in course.decisions if decision.mark]
    heading = f'<h2><span style="color: var(--seat{course.seat})">●</span> {escape(course.name)}</h2>'
    return (
        f'<section>{heading}<ul class="sum">{row}</ul><p class="faint small">{escape(own)}</p>'
        f"{decision_table(marked) if marked else '<p>No decision is marked.</p>'}"
        f"<details><summary>All {len(course.decisions)} decisions</summary>{decision_table(course.decisions)}</details>"
        "</section>"
    )


def decision_table(decisions: Sequence[Decision]) -> str:
    """Decisions, one a row."""
    rows = "".join(
        f'<tr><td>{each.seen}</td><td class="mark {each.mark}">{each.mark}</td><td><code>{escape(each.do)}</code></td>'
        f"<td><code>{escape(each.best if each.best != each.do else '=')}</code></td>"
        f'<td class="wins">{percent(each.with_done)}</td><td>{_lost(each)}</td></tr>'
        for each in decisions
    )
    head = "<tr><th>after</th><th></th><th>done</th><th>best</th><th class='wins'>wins</th><th>lost, points</th></tr>"
    return f'<div class="scroll"><table>{head}{rows}</table></div>'


def _lost(decision: Decision) -> str:
    if decision.best == decision.do:
        return "0"
    lost = decision.lost
    return f'{lost.value / 10:.1f} <span class="span">({lost.low / 10:.1f} to {lost.high / 10:.1f})</span>'


def reruns(review: Review) -> str:
    """The same deal played by the strongest bot."""
    told = "".join(f"<p>{escape(rerun_words(review, rerun))}</p>" for rerun in review.reruns)
    return f"<section><h2>The same deal, played by the strongest bot</h2>{told}</section>"


def meanings(review: Review) -> str:
    """What the numbers are."""
    marks = "".join(f"<li><b>{mark}</b>: {escape(meaning)}</li>" for mark, meaning in MARK_WORDS.items())
    return (
        "<section><h2>What the numbers are</h2><p>All are percentage points of the chance to win the match. A chance "
        "is the mean over guesses of what lies where, each of which looks to the seat as the game did; all go on "
        "by the rule of thumb. Nobody is judged by open cards. The best action was chosen in other guesses than those "
        "it was measured in; in brackets is the interval that holds the true number in 95 of 100 cases. From the start "
        f'to the result the numbers add up exactly.</p><ul>{marks}</ul><p class="faint small">Made with effort '
        f"{review.effort} and seed {review.seed}.</p></section>"
    )
