"""Code that relies on Numba's internals. ``docs/numba.md`` lists each internal, its use and the tested versions."""
