/// A module of the app.
public let scanLines = "ScanLines"
