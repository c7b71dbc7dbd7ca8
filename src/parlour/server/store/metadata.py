"""The collection of all database tables of the layout."""

import sqlalchemy as sql

METADATA = sql.MetaData()
