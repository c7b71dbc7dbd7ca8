"""Reports of studies: pages, tables, charts, and the shelf of reports that the card room shows."""
