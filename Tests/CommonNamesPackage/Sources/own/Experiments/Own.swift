/// A module of the app.
public let experiments = "Experiments"
