"""Training of an image classifier for a folder of labelled pictures."""
