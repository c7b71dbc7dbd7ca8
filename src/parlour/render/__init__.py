"""Rendering: from a seat's observation to a scene, and from a scene to text, a picture or the page."""
