/// A module of the app.
public let perception = "Perception"
