/// A module of the app.
public let matching = "Matching"
