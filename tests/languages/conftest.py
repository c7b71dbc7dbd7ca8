import pytest

from parlour.languages import in_language
from tests.pseudo_language import pseudo_language


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory):
    """The code of the pseudo-language, which is offered."""
    with pseudo_language(tmp_path_factory.mktemp("catalogue")) as code:
        yield code


@pytest.fixture
def in_pseudo(pseudo):
    """The context of a reader of the pseudo-language."""
    with in_language(pseudo):
        yield
