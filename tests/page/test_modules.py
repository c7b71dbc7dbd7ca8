"""Single modules of the page, in the browser."""

import pytest

from tests.page.conftest import Room

CHOICES = [
    {"do": "lay 7H on 2", "label": "Lay", "tokens": ["7H", "slot-2"]},
    {"do": "lay 7H 8H on 2", "label": "Lay", "tokens": ["7H", "8H", "slot-2"]},
    {"do": "lay 9C on 1", "label": "Lay", "tokens": ["9C", "slot-1"]},
]


@pytest.fixture(scope="module")
def page(chromium, address):
    """One page for all tests, which leave no traces in it."""
    room = Room(chromium, address)
    page = room.page()
    page.goto(address)
    page.wait_for_selector(".play")
    yield page
    room.close()


def test_every_card_has_its_own_drawing_face_up_and_known_face_down(page):
    different = page.evaluate(
        """async () => {
        const { drawing } = await import('/page/js/scene/cards.js');
        const names = [...'CDHS'].flatMap(suit => [...'23456789TJQKA'].map(rank => rank + suit)).concat('XB', 'XR');
        const drawn = (...how) => new Set([...names, null].map(name => drawing(name, ...how).outerHTML)).size;
        const decks = ['usual', 'large', 'tinted'].map(faces => drawn(false, true, { faces }));
        return [drawn(false), drawn(true), drawn(false, false), ...decks];
    }"""
    )
    assert different == [55] * 6


def test_drawings_contain_no_style_or_script(page):
    source = page.evaluate("async () => (await import('/page/js/scene/cards.js')).drawing('KH').outerHTML")
    assert "style=" not in source
    assert "<script" not in source


def test_an_action_is_composed_of_picked_tokens(page):
    steps = page.evaluate(
        """async choices => {
        const { Selection } = await import('/page/js/scene/selection.js');
        const selection = new Selection();
        selection.start(choices);
        const complete = () => selection.complete.map(choice => choice.do);
        return ['7H', 'slot-2', 'nothing', '8H', '8H'].map(token => [selection.pick(token), complete()]);
    }""",
        CHOICES,
    )
    assert steps == [
        [True, []],
        [True, ["lay 7H on 2"]],
        [False, ["lay 7H on 2"]],
        [True, ["lay 7H 8H on 2"]],
        [True, ["lay 7H on 2"]],
    ]


def test_an_incompatible_token_replaces_the_picked_ones(page):
    steps = page.evaluate(
        """async choices => {
        const { Selection } = await import('/page/js/scene/selection.js');
        const selection = new Selection();
        selection.start(choices);
        return ['7H', 'slot-1', '9C', '7H'].map(token =>
            [selection.pick(token), [...selection.picked], selection.only?.do ?? null]);
    }""",
        CHOICES,
    )
    assert steps == [
        [True, ["7H"], None],
        [True, ["slot-1"], None],
        [True, ["slot-1", "9C"], "lay 9C on 1"],
        [True, ["7H"], None],
    ]


TWO_PLACES = [
    {"do": "lay 7H 8H on 1", "label": "Lay", "tokens": ["7H", "8H", "slot-1"]},
    {"do": "lay 7H 8H on 2", "label": "Lay", "tokens": ["7H", "8H", "slot-2"]},
    {"do": "lay 7H on 2", "label": "Lay", "tokens": ["7H", "slot-2"]},
]


def test_cards_stay_picked_when_another_slot_is_picked(page):
    steps = page.evaluate(
        """async choices => {
        const { Selection } = await import('/page/js/scene/selection.js');
        const selection = new Selection();
        selection.start(choices);
        return ['7H', '8H', 'slot-1', 'slot-2'].map(token =>
            [selection.pick(token), [...selection.picked], selection.only?.do ?? null]);
    }""",
        TWO_PLACES,
    )
    assert steps == [
        [True, ["7H"], None],
        [True, ["7H", "8H"], None],
        [True, ["7H", "8H", "slot-1"], "lay 7H 8H on 1"],
        [True, ["7H", "8H", "slot-2"], "lay 7H 8H on 2"],
    ]


def test_possible_tokens_stay_picked_when_a_scene_is_shown_again(page):
    picked = page.evaluate(
        """async choices => {
        const { Selection } = await import('/page/js/scene/selection.js');
        return [[choices, true], [choices.slice(2), true], [choices, false]].map(([after, same]) => {
            const selection = new Selection();
            selection.start(choices);
            selection.pick('7H');
            selection.start(after, same);
            return [...selection.picked];
        });
    }""",
        CHOICES,
    )
    assert picked == [["7H"], [], []]


def test_the_next_step_of_a_selection_is_a_sentence(page):
    said = page.evaluate(
        """async choices => {
        const { Selection } = await import('/page/js/scene/selection.js');
        const selection = new Selection();
        selection.start(choices);
        return ['', '7H', 'slot-2', '8H'].map(token => (token && selection.pick(token), selection.onward));
    }""",
        CHOICES,
    )
    assert said == [
        "",
        "Now choose one of those outlined.",
        "Choose more of what is outlined, or press “Lay”.",
        "Now press “Lay”.",
    ]


def test_a_number_with_limits_by_players_keeps_its_help_and_its_range(page):
    """A field with limits shows its range; it is not greyed."""
    shown = page.evaluate(
        """async () => {
        const { optionRows } = await import('/page/js/landing/options.js');
        const { refuses } = await import('/page/js/landing/option_limits.js');
        const option = { name: 'tricks', title: 'Tricks', titles: {}, clause: 'OH-2', help: 'tricks in a round',
            kind: 'number', values: null, min: 1, max: 17, defaults: { 3: 5, 4: 5 }, refused: {},
            limits: { 4: [1, 12] }, consequences: {} };
        const rows = players => optionRows({ options: [option] }, players, {}, () => {}, () => {})[0];
        const field = players => rows(players).querySelector('input');
        return [field(4).max, field(3).max, rows(4).classList.contains('limited'),
            rows(4).querySelector('.consequence').textContent,
            refuses(option, 4, 13), refuses(option, 4, 12), refuses(option, 3, 13)];
    }"""
    )
    assert shown == ["12", "17", False, "Tricks in a round. From 1 to 12 with so many players.", True, False, False]


@pytest.mark.parametrize(
    ("scene", "busy", "pending", "state"),
    [
        (None, False, {}, "loading"),
        ({"legal": ["7H"]}, True, {}, "showing"),
        ({"legal": ["7H"]}, True, {"open": True}, "showing"),
        ({"legal": ["7H"]}, False, {}, "turn"),
        ({"legal": ["7H"]}, False, {"open": True}, "sent"),
        ({"legal": ["7H"]}, False, {"open": True, "waits": True}, "held"),
        ({"legal": []}, False, {}, "others"),
        ({"legal": [], "over": True}, False, {}, "over"),
    ],
)
def test_a_table_is_always_in_one_state(page, scene, busy, pending, state):
    found = page.evaluate(
        """async ([scene, busy, pending]) => {
        const { State, stateOf } = await import('/page/js/table/table_state.js');
        const one = stateOf(scene, busy, pending);
        return Object.values(State).includes(one) ? one : null;
    }""",
        [scene, busy, pending],
    )
    assert found == state


PRESSES = """async ([connected, seen]) => {
    const { PendingAction } = await import('/page/js/table/pending_action.js');
    const sent = [];
    let there = connected;
    const pending = new PendingAction(message => (there ? sent.push(message.seen) > 0 : false));
    pending.start('7H', 5);
    there = true;
    return [pending.resume(seen), pending.open, pending.waits, sent];
}"""


@pytest.mark.parametrize(
    ("connected", "seen", "found"),
    [
        (True, 5, [True, True, False, [5, 5]]),
        (True, 7, [True, True, False, [5, 5]]),
        (False, 5, [True, True, False, [5]]),
        (False, 7, [False, False, False, []]),
        (False, 3, [False, False, False, []]),
    ],
    ids=["not answered", "perhaps done", "not sent", "not sent, too late", "not sent, taken back meanwhile"],
)
def test_a_pending_action_is_sent_after_a_reconnection_unless_it_comes_too_late(page, connected, seen, found):
    assert page.evaluate(PRESSES, [connected, seen]) == found


def test_only_the_viewers_last_action_can_be_taken_back(page):
    offered = page.evaluate(
        """async () => {
        const { People } = await import('/page/js/table/people.js');
        const people = new People({ own: () => 1, seen: () => 3, name: String, kind: () => 'person' });
        return [[null, null], [0, null], [1, null], [1, { seat: 1, waiting: [0] }]].map(([undoable, wish]) => {
            people.company = { ...people.company, undoable, undo_request: wish };
            return people.mayUndo;
        });
    }"""
    )
    assert offered == [False, False, True, False]


def test_only_the_clock_of_the_acting_seat_runs(page):
    shown = page.evaluate(
        """async () => {
        const { People } = await import('/page/js/table/people.js');
        const people = new People({ own: () => 1, seen: () => 3, name: String, kind: () => 'person' });
        people.company = { ...people.company, clocks: { running: 1, left: [90000, 90000] } };
        people.since = performance.now() - 20500;
        const clocks = [0, 1].map(() => document.createElement('span'));
        clocks.forEach((clock, seat) => (clock.dataset.clock = seat));
        document.body.append(...clocks);
        people.tick();
        clocks.forEach(clock => clock.remove());
        return clocks.map(clock => [clock.textContent, clock.classList.contains('runs')]);
    }"""
    )
    assert shown == [["1:30", False], ["1:10", True]]


DRAGGED = """async (steps) => {
    const { makeDraggable } = await import('/page/js/scene/drag.js');
    const put = (within, left, about) => {
        const thing = Object.assign(document.createElement('div'), { setPointerCapture: undefined });
        const box = { position: 'fixed', inset: `100px auto auto ${left}px`, width: '80px', height: '80px' };
        Object.assign(thing.style, box);
        Object.assign(thing.dataset, about);
        thing.className = 'may';
        within.append(thing);
    };
    const [room, hand, found] = [document.createElement('div'), document.createElement('div'), []];
    Object.assign(room.style, { position: 'fixed', inset: '0', zIndex: 9999 });
    hand.className = 'hand';
    room.append(hand);
    document.body.append(room);
    put(hand, 100, { do: 'lay 7H', card: '7H' });
    put(hand, 200, { do: 'lay 8H', card: '8H' });
    put(room, 300, { do: 'draw', token: 'pile' });
    const dropped = (thing, target) => found.push([thing.dataset.card, target?.dataset.token ?? null]);
    makeDraggable(room, { may: () => true, goals: () => new Set(), dropped });
    for (const [type, clientX, pointerId] of steps) {
        const about = { bubbles: true, cancelable: true, clientX, clientY: 140, pointerId, isPrimary: pointerId === 1 };
        document.elementFromPoint(clientX, 140).dispatchEvent(new PointerEvent(type, about));
    }
    room.remove();
    return found;
}"""


@pytest.mark.parametrize(
    ("let_go", "found"),
    [
        ([("pointerup", 240, 1)], []),
        ([("pointerup", 340, 1)], [["7H", "pile"]]),
        ([("pointerup", 540, 1)], [["7H", None]]),
        ([("pointerup", 340, 2)], []),
        ([("pointerup", 340, 2), ("pointerup", 540, 1)], [["7H", None]]),
    ],
    ids=["in the hand", "on a pile", "elsewhere on the table", "by another finger", "after another finger"],
)
def test_a_dragged_card_is_dropped_by_the_finger_that_holds_it(page, let_go, found):
    steps = [("pointerdown", 140, 1), ("pointermove", 400, 1), *let_go]
    assert page.evaluate(DRAGGED, steps) == found


def test_a_hint_for_an_earlier_position_is_not_shown(page):
    shown = page.evaluate(
        """async () => {
        const { HintSheet } = await import('/page/js/table/hint.js');
        const win = { value: 0.5, low: 0.4, high: 0.6 };
        const texts = { chance: '50 %', interval: '', verdict: '' };
        const candidate = { do: 'end', phrase: 'end the turn', win, texts };
        const hint = { seen: 3, candidates: [candidate], others: 0, words: [] };
        return [2, 3, 4].map(seen => {
            const sheet = new HintSheet({ scene: () => null, room: document, act: () => true });
            sheet.show(hint, seen);
            const shows = sheet.body.closest('dialog').open;
            sheet.close();
            return shows;
        });
    }"""
    )
    assert shown == [False, True, False]
