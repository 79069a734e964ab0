/// A module of the app.
public let stats = "Stats"
