/// A module of the app.
public let benchmarkSupport = "BenchmarkSupport"
