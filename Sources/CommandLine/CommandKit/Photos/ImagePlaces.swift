/// Finds images of a list by name.
///
/// Commands print the paths of images, and people who label them often write only file names. So a
/// path is also the image that is named like its last part.
package struct ImagePlaces: Sendable {
  private var places: [FoundPath: Int] = [:]

  /// Takes the names of the images, each once.
  package init(_ names: some Sequence<String>) {
    for (index, name) in names.enumerated() { places[FoundPath(name)] = index }
  }

  /// The index of the image at `path`; nil if it is not in the list.
  package func place(of path: String) -> Int? {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return places[FoundPath(path)] ?? places[FoundPath(file)]
  }
}
