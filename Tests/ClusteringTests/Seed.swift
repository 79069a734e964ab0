// Seed of the tests; replaced by the first of them.
