import Drawing

/// The requested drawings over photos.
package struct PhotoOverlays: Sendable {
  private static let name = "overlay"
  private let pattern: OutputPattern?

  /// The option that requests them.
  ///
  /// - Parameter marks: the content of the drawing.
  package static func option(of marks: String) -> Option<String> {
    Option(
      name, .outputPath("FILE"), short: "o",
      help: "Draw the result: the photo with \(marks); \(DrawingFile.formats). "
        + OutputPattern.help(folderFile: "NAME.png"))
  }

  /// Computes the files.
  ///
  /// - Parameter pattern: the typed pattern; nil if there is none.
  /// - Throws: ``UsageError`` if two photos would share a file, or one would be a photo.
  package init(_ pattern: String?, photos: PhotoList) throws(UsageError) {
    self.pattern = try pattern.map { pattern throws(UsageError) in
      try OutputPattern(
        pattern, option: Self.name, extensions: DrawingFile.extensions, inputs: photos.paths)
    }
  }

  /// Makes the folders of the files, after all checks of the command line.
  package func makeFolders() throws(CommandError) {
    try pattern?.makeFolders()
  }

  /// The files, in the photos' order; empty if none are requested.
  package var paths: [String] { pattern?.paths ?? [] }

  /// Draws over a photo.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  package func write(_ overlay: @autoclosure () -> Overlay, over photo: LoadedPhoto) throws {
    guard let path = pattern?.paths[photo.place] else { return }
    try DrawingFile.write(overlay(), over: photo.drawn, to: path)
  }
}
