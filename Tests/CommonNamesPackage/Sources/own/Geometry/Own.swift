/// A module of the app.
public let geometry = "Geometry"
