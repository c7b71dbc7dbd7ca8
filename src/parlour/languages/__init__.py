"""Messages in the language of their reader: translation, the names of cards, and Markdown.

English is the source: a message is written in English where it is used, and a catalogue ``CODE.po`` in this folder
translates all of them. A message without a translation stays English.
"""

from parlour.languages.messages import LANGUAGES as LANGUAGES
from parlour.languages.messages import SOURCE_LANGUAGE as SOURCE_LANGUAGE
from parlour.languages.messages import CacheByLanguage as CacheByLanguage
from parlour.languages.messages import current_language as current_language
from parlour.languages.messages import deferred as deferred
from parlour.languages.messages import fill as fill
from parlour.languages.messages import gettext as gettext
from parlour.languages.messages import in_language as in_language
from parlour.languages.messages import ngettext as ngettext
from parlour.languages.messages import npgettext as npgettext
from parlour.languages.messages import pgettext as pgettext
