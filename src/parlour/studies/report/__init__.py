"""Reports of studies: pages, tables, charts, and the store of reports that the card room shows."""
