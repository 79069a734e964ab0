import CommandKit
import Foundation
import ReferenceModels

/// Files that name classes.
package enum ClassLabelFile {
  /// The labels in a file; it is read up to the greatest size of labels.
  package static func labels(_ path: String) throws -> ClassLabels {
    let url = try InputFile.existing(path)
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      let data = try handle.read(upToCount: ClassLabels.largestText + 1) ?? Data()
      return try ClassLabels(data: data)
    } catch let error as ClassLabelsError {
      throw Failure.of(error, at: path)
    } catch {
      throw CommandError(.inputOutput, at: path, "cannot be read")
    }
  }
}
