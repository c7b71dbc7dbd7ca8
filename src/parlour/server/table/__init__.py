"""What happens at tables: seats, events, bots, clocks, talk, and what each seat is shown of it."""
