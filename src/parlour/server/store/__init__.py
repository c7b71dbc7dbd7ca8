"""Where tables are kept, so that nothing acknowledged is lost."""
