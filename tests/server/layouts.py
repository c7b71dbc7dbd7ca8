"""Databases as earlier versions made them, and statements as they executed them. This SQL is never changed."""

LAYOUT_2 = """
CREATE TABLE layout (version INTEGER NOT NULL, PRIMARY KEY (version));
CREATE TABLE tables (id TEXT NOT NULL, game TEXT NOT NULL, players INTEGER NOT NULL, options TEXT NOT NULL,
  created BIGINT NOT NULL, secret TEXT NOT NULL, PRIMARY KEY (id));
CREATE TABLE seats (table_id TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, bot TEXT, key_hash TEXT,
  PRIMARY KEY (table_id, seat), FOREIGN KEY (table_id) REFERENCES tables (id));
CREATE TABLE events (table_id TEXT NOT NULL, number INTEGER NOT NULL, "by" INTEGER NOT NULL, "do" TEXT NOT NULL,
  PRIMARY KEY (table_id, number), FOREIGN KEY (table_id) REFERENCES tables (id));
INSERT INTO layout VALUES (2);
INSERT INTO tables VALUES ('abc', 'trick-walls', 2, '{"rounds": 1}', 1700000000, 'SECRET');
INSERT INTO seats VALUES ('abc', 0, 'Ann', NULL, 'hash');
INSERT INTO events VALUES ('abc', 0, -1, 'dealer A')
"""
TO_3 = """
ALTER TABLE tables ADD COLUMN given INTEGER NOT NULL DEFAULT 0;
CREATE TABLE manners (table_id TEXT NOT NULL, manners TEXT NOT NULL, PRIMARY KEY (table_id),
  FOREIGN KEY (table_id) REFERENCES tables (id));
CREATE TABLE spent (table_id TEXT NOT NULL, number INTEGER NOT NULL, milliseconds BIGINT NOT NULL,
  PRIMARY KEY (table_id, number), FOREIGN KEY (table_id) REFERENCES tables (id));
CREATE TABLE listed (table_id TEXT NOT NULL, PRIMARY KEY (table_id), FOREIGN KEY (table_id) REFERENCES tables (id));
UPDATE layout SET version = 3
"""
TO_4 = """
ALTER TABLE events ADD COLUMN stood_in INTEGER NOT NULL DEFAULT 0;
CREATE TABLE asked (key_hash TEXT NOT NULL, table_id TEXT NOT NULL, request TEXT NOT NULL, PRIMARY KEY (key_hash),
  FOREIGN KEY (table_id) REFERENCES tables (id));
CREATE INDEX ix_asked_table_id ON asked (table_id);
CREATE TABLE follows (table_id TEXT NOT NULL, next_id TEXT NOT NULL, PRIMARY KEY (table_id),
  FOREIGN KEY (table_id) REFERENCES tables (id), UNIQUE (next_id), FOREIGN KEY (next_id) REFERENCES tables (id));
CREATE TABLE said (table_id TEXT NOT NULL, number INTEGER NOT NULL, "by" INTEGER NOT NULL, said_id TEXT NOT NULL,
  words TEXT NOT NULL, sign TEXT NOT NULL, day INTEGER NOT NULL, PRIMARY KEY (table_id, number),
  UNIQUE (table_id, "by", said_id), FOREIGN KEY (table_id) REFERENCES tables (id));
CREATE TABLE days (day INTEGER NOT NULL, PRIMARY KEY (day));
CREATE TABLE probe (number INTEGER NOT NULL, written BIGINT NOT NULL, PRIMARY KEY (number));
UPDATE layout SET version = 4
"""
LAYOUTS = {2: LAYOUT_2, 3: f"{LAYOUT_2};{TO_3}", 4: f"{LAYOUT_2};{TO_3};{TO_4}"}
"""Databases by version, each with one table that has events."""

PROGRAM_4 = """
INSERT INTO tables (id, game, players, options, created, secret, given)
  VALUES ('def', 'trick-walls', 2, '{"rounds": 1}', 1700000000, 'SECRET', 0);
INSERT INTO seats (table_id, seat, name, bot, key_hash) VALUES ('def', 0, 'Ann', NULL, 'hash');
INSERT INTO events (table_id, number, "by", "do", stood_in) VALUES ('def', 0, -1, 'dealer A', 0);
INSERT INTO spent (table_id, number, milliseconds) VALUES ('def', 0, 1500);
INSERT INTO said (table_id, number, "by", said_id, words, sign, day) VALUES ('def', 0, 0, 'a', 'hello', '', 20000)
"""
"""The statements by which a program of layout 4 stores a table."""
APPENDED_BY_4 = """
INSERT INTO events (table_id, number, "by", "do", stood_in) VALUES (:table, :number, 0, '7H', 0)
"""
SEEN_BY_4 = 'SELECT number, "by", "do", stood_in FROM events WHERE table_id = :table ORDER BY number'
VERSION_SEEN_BY_4 = "SELECT version FROM layout"


def statements(text, secret="5e" * 32):
    """Return the statements of a text, with the secret of its tables."""
    return [each.replace("SECRET", secret).strip() for each in text.split(";")]
