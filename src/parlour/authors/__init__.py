"""Tools for authors of games: laws, benchmarks, skeleton, reference pages."""
