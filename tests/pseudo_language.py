"""A pseudo-language, in which every message is in angle brackets: ``‹You play {card}.›``. Its code is Swedish."""

import sys
from contextlib import contextmanager

from babel.messages.pofile import write_po

from parlour.authors.message_catalogues import extracted
from parlour.languages import messages

CODE = "sv"


def _translated(message):
    forms = [message.id] if isinstance(message.id, str) else message.id
    texts = tuple(f"‹{form}›" for form in forms)
    return texts[0] if isinstance(message.id, str) else texts


@contextmanager
def pseudo_language(folder):
    """Offer the pseudo-language, with its catalogue in a folder, within a ``with`` block."""
    catalogue = extracted(CODE)
    for message in catalogue:
        if message.id:
            message.string = _translated(message)
    with (folder / f"{CODE}.po").open("wb") as file:
        write_po(file, catalogue, include_lineno=False)
    before, users = messages.LANGUAGES, _users_of("LANGUAGES", messages.LANGUAGES)
    known = messages.FOLDER
    for module in users:
        module.LANGUAGES = ("en", CODE)
    messages.FOLDER = folder
    _forget()
    try:
        yield CODE
    finally:
        for module in users:
            module.LANGUAGES = before
        messages.FOLDER = known
        _forget()


def _users_of(name, value):
    """Return the modules that have imported a constant."""
    loaded = [module for key, module in sys.modules.items() if key.startswith("parlour.")]
    return [module for module in loaded if getattr(module, name, None) is value]


def _forget():
    messages.load_translations.cache_clear()
    script = sys.modules.get("parlour.server.http.document.language_script")
    if script:
        script.language_script.cache_clear()
        script.more_messages_module.cache_clear()
        script._names.cache_clear()
