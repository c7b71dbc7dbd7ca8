"""The server of the card room, in layered packages; each imports only the packages before it.

``store``: the database; ``table``: tables in play; ``http``: the web application; ``process``: the serving processes;
``page``: the files of the page. All use ``logs`` and ``metrics``.
"""
