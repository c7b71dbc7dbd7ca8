"""Notices to browsers whose page is closed, by the push services of the browsers (Web Push)."""
