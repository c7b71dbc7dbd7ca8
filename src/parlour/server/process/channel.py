"""Constants of the channel between the process that accepts connections and its workers."""

LINE_BYTES = 8 << 10
"""Length of what is read of a connection before it is handed over."""
READY = b"ready"
"""What a worker says as soon as it can be handed connections."""
