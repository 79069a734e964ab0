import Foundation
import ImageFiles
import Raster

/// The files of cut-out objects: `NAME-01.png`, `NAME-02.png` and so on in a folder.
///
/// The folder may hold placeholders, as an ``OutputPattern`` does: `crops/{folder}`.
package struct PhotoCrops {
  /// The files of the first crops, and their folders.
  private let first: OutputPattern
  /// What ends the name of the first file, behind the photo's part.
  private static let ending = "-01.png"

  /// Computes the files.
  ///
  /// - Parameters:
  ///   - folder: the typed folder, possibly with placeholders.
  ///   - images: the paths of the photos.
  ///   - overlays: the paths of the overlays.
  /// - Throws: ``UsageError`` if two photos would share files, or a crop would be one of the photos
  ///   or overlays.
  package init(folder: String, images: [String], overlays: [String]) throws(UsageError) {
    first = try OutputPattern(
      "\(folder)\(folder.hasSuffix("/") ? "" : "/"){name}\(Self.ending)", option: "crops",
      extensions: ["png"], inputs: images)
    // The files of a photo, without the numbers at their ends.
    let stems = Set(
      first.paths.map { path in
        let url = URL(fileURLWithPath: path)
        let name = String(url.lastPathComponent.dropLast(Self.ending.count))
        let folder = Self.place(url.deletingLastPathComponent().path)
        return FoundPath((folder as NSString).appendingPathComponent(name))
      })
    func isInTheWay(_ path: String) -> Bool {
      Self.stem(ofCrop: Self.place(path)).map { stems.contains(FoundPath($0)) } ?? false
    }
    if let image = images.first(where: isInTheWay) {
      throw UsageError("--crops might overwrite the input '\(image)'; name another folder")
    }
    if let overlay = overlays.first(where: isInTheWay) {
      throw UsageError(
        "--overlay and --crops might both write '\(overlay)'; name another folder")
    }
  }

  /// Makes the folders.
  package func makeFolder() throws(CommandError) {
    try first.makeFolders()
  }

  /// Writes the crops of the photo at `index`, in order.
  ///
  /// - Parameters:
  ///   - count: the number of objects.
  ///   - crop: the picture of the object at a place; nil for one without a pixel in the photo.
  /// - Returns: the paths of the written files.
  /// - Throws: `ImageFileError`, and the errors of `crop`.
  @discardableResult
  package func write(
    _ count: Int, at index: Int, crop: (Int) throws -> Raster?
  ) throws -> [String] {
    var written: [String] = []
    for place in 0..<count {
      guard let picture = try crop(place) else { continue }
      let path = Self.path(first.paths[index], number: place + 1, of: count)
      try ImageFile.write(picture, to: URL(fileURLWithPath: path), as: .png())
      written.append(path)
    }
    return written
  }

  private static func path(_ first: String, number: Int, of count: Int) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(2, String(count).count) - digits.count)
    return "\(first.dropLast(ending.count))-\(zeros)\(digits).png"
  }

  /// The target of a path after all links.
  private static func place(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// What the name of a crop has before its number; nil for a file that cannot be a crop.
  ///
  /// The number of crops is not known before the work.
  private static func stem(ofCrop path: String) -> String? {
    let bare = (path as NSString).deletingPathExtension
    guard (path as NSString).pathExtension.lowercased() == "png",
      let dash = bare.lastIndex(of: "-")
    else { return nil }
    let digits = bare[bare.index(after: dash)...]
    let isNumber = digits.count >= 2 && digits.allSatisfy { $0.isASCII && $0.isNumber }
    return isNumber ? String(bare[..<dash]) : nil
  }
}
