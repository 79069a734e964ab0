import Foundation
import FuzzSupport
import SimilarityIndex

extension Target {
  /// What a library of likenesses says of itself, and of what is in it.
  static let library = Target(
    "library",
    seeds: {
      [
        """
        {"version":1,"embedder":{"name":"e","fingerprint":"00ff","preprocessing":"p","dimension":4}}
        """, "{\"name\":\"mug\",\"file\":\"a/b.jpg\"}",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let folder = try Scratch.emptyFolder("things.library")
    try Scratch.write(bytes, to: "things.library/library.json")
    try refusable(LikenessLibraryError.self) {
      let library = try LikenessLibrary(folder: folder)
      try library.check(library.embedder)
      expect(try library.reader() == nil, "there is an index where none was made")
    }
    let record = LikenessRecord(payload: Data(bytes))
    _ = LikenessRecord(payload: record.payload)
  }
}
