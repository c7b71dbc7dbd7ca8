"""The database tables of players: the names with a key, their games, ratings and club nights; and of absent people."""

import sqlalchemy as sql

from parlour.server.store.metadata import METADATA

PLAYERS = sql.Table(
    "players",
    METADATA,
    sql.Column("player", sql.Text, primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
)
"""The players by the hash of their key; ``name`` is the latest that they have chosen, or empty."""
PLAYER_GAMES = sql.Table(
    "player_games",
    METADATA,
    sql.Column("player", sql.Text, primary_key=True),
    sql.Column("table_id", sql.Text, primary_key=True, index=True),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("players", sql.Integer, nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.Column("others", sql.Text, nullable=False, server_default=""),
    sql.Column("won", sql.Integer),
    sql.Column("points", sql.Integer),
    sql.Column("against", sql.Integer),
    sql.Column("review", sql.Text, nullable=False, server_default=""),
    sql.Index("ix_player_games_at", "player", "at", "table_id"),
)
"""The games of players. Those with a result outlive their tables.

``options`` are those that differ from their defaults. ``at`` is the time at which the table was opened, or of the last
event once the game is over. ``others`` (the names and bots of the other seats, as JSON), ``won``, ``points`` and
``against`` (the points of the best other side) are empty or null until the game is over. ``review`` is JSON, or empty.
"""
RATINGS = sql.Table(
    "ratings",
    METADATA,
    sql.Column("player", sql.Text, primary_key=True),
    sql.Column("game", sql.Text, primary_key=True),
    sql.Column("value", sql.Double, nullable=False),
    sql.Column("deviation", sql.Double, nullable=False),
    sql.Column("volatility", sql.Double, nullable=False),
    sql.Column("games", sql.Integer, nullable=False),
)
"""The ratings of players with rated games (:class:`parlour.glicko.Rating`), and the number of those games."""
RATED_SEATS = sql.Table(
    "rated_seats",
    METADATA,
    sql.Column("table_id", sql.Text, primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("player", sql.Text, nullable=False),
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("at", sql.BigInteger),
    sql.Column("value", sql.Double),
    sql.Index("ix_rated_seats_player", "player", "at"),
)
"""The people's seats of rated tables, each with the player who was linked with it first.

``player`` is empty if the player has been forgotten, or the game is left unrated. ``at`` is the time at which the game
was rated, in seconds since 1970, and ``value`` the player's rating afterwards; both are null before. The rows of rated
games outlive their tables, except those of forgotten players.
"""
CLUBS = sql.Table(
    "clubs",
    METADATA,
    sql.Column("id", sql.Text, primary_key=True),
    sql.Column("host", sql.Text, nullable=False),
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("system", sql.Text, nullable=False),
    sql.Column("rounds", sql.Integer, nullable=False),
    sql.Column("bot", sql.Text, nullable=False),
    sql.Column("begun", sql.Integer, nullable=False, server_default="0"),
    sql.Column("closed", sql.Integer, nullable=False, server_default="0"),
    sql.Column("at", sql.BigInteger, nullable=False),
)
"""The club nights. ``host`` is the hash of the host's key, ``begun`` and ``closed`` are numbers of rounds."""
CLUB_PLAYERS = sql.Table(
    "club_players",
    METADATA,
    sql.Column("club", sql.Text, primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("player", sql.Text, nullable=False, index=True),
    sql.Column("name", sql.Text, nullable=False),
)
"""The players of club nights in the order in which they came; ``player`` is the hash of the key, or empty."""
CLUB_GAMES = sql.Table(
    "club_games",
    METADATA,
    sql.Column("club", sql.Text, primary_key=True),
    sql.Column("round", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("board", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("deal", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("table_id", sql.Text, nullable=False, unique=True),
    sql.Column("first", sql.Integer, nullable=False),
    sql.Column("second", sql.Integer, nullable=False),
    sql.Column("result", sql.Text, nullable=False, server_default=""),
)
"""The games of club nights: two deals at each board of a round. Rounds are numbered from 1, boards and deals from 0.

``first`` and ``second`` are the numbers of the players in the seats 0 and 1, −1 is a bot. ``result`` is JSON, or empty.
"""
CLUB_COLUMNS = (
    CLUB_GAMES.c.club,
    CLUB_GAMES.c.round.label("club_round"),
    CLUB_GAMES.c.deal.label("club_deal"),
    CLUB_GAMES.c.result.label("club_result"),
    CLUBS.c.closed.label("club_closed"),
)
"""The columns about the club night of a table, in queries that join both database tables."""
AWAY = sql.Table(
    "away",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
)
"""The seats at tables over days that a bot plays until their people return."""
PUSH_KEY = sql.Table(
    "push_key",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("key", sql.Text, nullable=False),
)
"""The private key by which push services recognize the room, in PEM; its number is 0."""
SUBSCRIPTIONS = sql.Table(
    "subscriptions",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("endpoint", sql.Text, primary_key=True, index=True),
    sql.Column("p256dh", sql.Text, nullable=False),
    sql.Column("auth", sql.Text, nullable=False),
    sql.Column("language", sql.Text, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
)
"""The browsers that receive notices about seats of running games. ``p256dh`` and ``auth`` are keys in base64url, ``at``
is the time of the latest subscription in seconds since 1970.
"""
