"""Reports over HTTP: reviews of games, and studies of the operator."""
