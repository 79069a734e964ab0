/// A module of the app.
public let testSupport = "TestSupport"
