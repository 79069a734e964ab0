"""Rendered shelves of books, every spine labelled, for the network that sees spines."""
