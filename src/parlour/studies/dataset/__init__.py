"""Data sets: decisions and results of many games as Parquet files, for learning from games of bots."""
