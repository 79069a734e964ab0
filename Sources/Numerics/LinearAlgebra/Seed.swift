// Seed of the module; replaced by its first part.
