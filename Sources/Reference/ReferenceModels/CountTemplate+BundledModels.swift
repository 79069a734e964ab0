import Counting

extension CountTemplate.Models {
  /// The bundled detector and embedder.
  ///
  /// A template made with them is kept under these names:
  ///
  /// ```swift
  /// let template = try await counter.template(
  ///   in: photo, like: [box], unlike: [], models: .bundled)
  /// ```
  ///
  /// `tally template` writes the same names, so that an app and the command can share templates.
  public static let bundled = CountTemplate.Models(
    detector: "4f9b39fb75639d3a03c7f1bc30663ac168dfed1082111db051d9c072a2a4c9bb",
    embedder: "0d65ce36f3d6323a1e6a6577c2c29c6a3cdd4694ec4cc26fb371155580b0ad4c")
}
