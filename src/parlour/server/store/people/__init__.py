"""People in the database: players with their games and ratings, club nights, and subscriptions to notices."""
