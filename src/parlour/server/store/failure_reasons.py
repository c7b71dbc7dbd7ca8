"""The reasons of a database's failures in words, without data."""

import re

from sqlalchemy import exc

from parlour.languages import deferred

SILENT = deferred("the database does not answer")
_UNREACHABLE = deferred("the database cannot be reached")
NOT_VALID = deferred("a parameter in the URL of the database is not valid")
_REASONS = {
    deferred("another program keeps the database locked"): ("SQLITE_BUSY", "SQLITE_LOCKED", "55P03"),
    deferred("the database is read-only"): ("SQLITE_READONLY", "25006"),
    deferred("the database may not be written"): ("SQLITE_PERM", "42501"),
    deferred("the database cannot be opened"): ("SQLITE_CANTOPEN", "FATAL"),
    deferred("the database is damaged"): ("SQLITE_CORRUPT", "XX001", "XX002"),
    deferred("the file is not a database"): ("SQLITE_NOTADB",),
    deferred("the disk is full"): ("SQLITE_FULL", "53100"),
    deferred("the disk cannot be read or written"): ("SQLITE_IOERR", "58030"),
    deferred("the database has no room or no connection left"): ("53",),
    deferred("the database does not let this user in"): ("28",),
    deferred("there is no database of this name"): ("3D000",),
    NOT_VALID: ("URL",),
    deferred("the database does not offer the encryption, certificate or login that its URL demands"): ("TLS",),
    SILENT: ("57014",),
    deferred("the database is being closed"): ("57P",),
    _UNREACHABLE: ("08",),
}
"""First characters of SQLite's error name or PostgreSQL's error code (appendix A of its manual), by their reason.

``URL`` and ``TLS`` are errors of PostgreSQL's library, and ``FATAL`` is any other refusal of a connection.
"""
_REFUSALS = {
    "08": r"the database system is (starting up|in recovery mode|not (yet )?accepting connections)",
    "57P01": r"the database system is shutting down|terminating connection due to administrator command",
    "57014": r"canceling authentication due to timeout",
    "53300": r"too many (clients|connections)|remaining connection slots|exceeded the maximum number of connections"
    r"|no more connections allowed",
    "28000": r"authentication failed|no password supplied|no pg_hba\.conf entry|pg_hba\.conf rejects"
    r'|role ".*" (does not exist|is not permitted to log in)|permission denied for database'
    r"|no such user|wrong password type",
    "3D000": r'database ".*" does not exist|no such database',
    "URL": r"invalid (connection option|\w+ value|integer value)|unrecognized configuration parameter"
    r"|definition of service .* not found|could not parse network address|invalid value for parameter"
    r"|invalid ssl_\w+|invalid \"\w+\" value",
    "TLS": r"does not support SSL|root certificate file|certificate verify failed|server certificate for"
    r"|channel binding required|GSSAPI encryption required|authentication method requirement",
}
"""Messages of PostgreSQL, its library and PgBouncer about a connection that they refuse, by a code of the same reason.

A server of another language than English has other messages, of which only the word FATAL is known.
"""


def reason_of(error: BaseException) -> str:
    """Return the reason of a database error in words, without data."""
    if isinstance(error, exc.TimeoutError):
        return deferred("the database is too busy")
    original = getattr(error, "orig", error)
    name = str(getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None) or "")
    if not name and type(original).__module__.startswith("psycopg"):
        name = _code_of_refusal(str(original))
    known = next((words for words, codes in _REASONS.items() if name.startswith(codes)), None)
    return known or f"the database failed ({name or type(error).__name__})"


def _code_of_refusal(message: str) -> str:
    """Return the code of an error of connecting by its message: the driver gives no code before it is connected."""
    known = next((code for code, pattern in _REFUSALS.items() if re.search(pattern, message)), None)
    return known or ("FATAL" if "FATAL:" in message else "08")
