"""The card room for browsers, in rooms of its own, each of which uses only those before it.

``store`` keeps every event, ``table`` plays, ``http`` is the door, ``process`` runs it all; ``page`` holds the files of
the page. All use what stands beside them: ``logs`` and ``metrics``.
"""
