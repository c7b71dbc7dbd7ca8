"""From a seat's view to something a person can look at: a scene, and from a scene to text or to a page."""
