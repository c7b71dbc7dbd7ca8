"""The card room for browsers, in layered packages, each of which imports only those before it.

``store``: the database; ``table``: tables in play; ``http``: the web application; ``process``: the serving processes;
``page``: the files of the page. All use ``logs`` and ``metrics``.
"""
