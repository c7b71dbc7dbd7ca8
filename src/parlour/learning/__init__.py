"""Policies learned from self-play: features of actions, compiled games, training, and files of weights."""
