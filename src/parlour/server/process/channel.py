"""Constants of the channel between the dispatcher, which accepts connections, and its workers."""

LINE_BYTES = 8 << 10
"""Maximum number of bytes read from a connection before it is handed over."""
READY = b"ready"
"""Message of a worker that can accept connections."""
ALIVE = b"alive"
"""Sign of life of a worker whose event loop works."""
