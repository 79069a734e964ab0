import Drawing

/// The drawings that a command makes of its photos, if any are asked for.
package struct PhotoOverlays: Sendable {
  private static let name = "overlay"
  private let pattern: OutputPattern?

  /// The option that asks for them.
  ///
  /// - Parameter marks: what is drawn over the photo.
  package static func option(of marks: String) -> Option<String> {
    Option(
      name, .outputPath("FILE"), short: "o",
      help: "Draw the result: the photo with \(marks); \(DrawingFile.formats). "
        + OutputPattern.help(folderFile: "NAME.png"))
  }

  /// Works out the files.
  ///
  /// - Parameter pattern: what was typed; nil if nothing was.
  /// - Throws: ``UsageError`` if two photos would share a file, or one would be a photo.
  package init(_ pattern: String?, photos: PhotoList) throws(UsageError) {
    self.pattern = try pattern.map { pattern throws(UsageError) in
      try OutputPattern(
        pattern, option: Self.name, extensions: DrawingFile.extensions, inputs: photos.paths)
    }
  }

  /// Makes the folders that the files go to, when nothing else can be wrong with the command line.
  package func makeFolders() throws(CommandError) {
    try pattern?.makeFolders()
  }

  /// The files, in the photos' order; empty if none are asked for.
  package var paths: [String] { pattern?.paths ?? [] }

  /// Draws over a photo.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  package func write(_ overlay: @autoclosure () -> Overlay, over photo: LoadedPhoto) throws {
    guard let path = pattern?.paths[photo.place] else { return }
    try DrawingFile.write(overlay(), over: photo.image, to: path)
  }
}
