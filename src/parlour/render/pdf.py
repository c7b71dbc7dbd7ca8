"""PDF files of HTML pages, by WeasyPrint."""

from pathlib import Path

from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.extras import extra

_WEASYPRINT = "weasyprint"


def check_pdf() -> None:
    """Check that PDF files can be written.

    Raises:
        ParlourError: WeasyPrint, or the library Pango that it uses, is not installed.
    """
    try:
        extra(_WEASYPRINT, "PDF files need", "pdf")
    except OSError:
        raise ParlourError(
            "PDF files need the library Pango, which is not installed: "
            "apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
        ) from None


def write_pdf(file: Path, page: str) -> None:
    """Write an HTML page as a PDF file, replacing an earlier one.

    External resources of the page are not fetched. Its headings become the outline of the file.

    Args:
        file: the PDF file.
        page: the HTML, with its style for print.

    Raises:
        ParlourError: WeasyPrint or Pango is not installed, or the file cannot be written.
    """
    check_pdf()
    weasyprint, urls = extra(_WEASYPRINT), extra("weasyprint.urls")
    html = weasyprint.HTML(string=page, url_fetcher=urls.URLFetcher(allowed_protocols=()))
    content: bytes = html.write_pdf()
    try:
        write_whole(file, content, 0o644)
    except OSError as error:
        raise ParlourError(f"{file}: cannot be written: {error.strerror}") from None
