"""Why: what every action would have brought, and what a whole game was won or lost by; from what a seat may know."""
