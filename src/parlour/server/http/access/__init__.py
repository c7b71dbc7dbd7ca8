"""Access to the server: admission of requests, limits for each address, bans and proxies."""
