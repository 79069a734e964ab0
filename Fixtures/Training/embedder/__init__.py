"""The embedder: a small network that says how alike two things in one photo look."""
