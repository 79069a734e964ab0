import CommandKit

/// A name and the file it stands for.
struct NamedFile: Equatable, Sendable {
  let name: String
  let path: String
}

extension ValueKind where Value == NamedFile {
  /// `NAME=FILE`; the name ends at the last `=` that leaves a path, so that names may hold one.
  static var namedFile: ValueKind {
    ValueKind(
      metavar: "NAME=FILE.npy", expectation: "NAME=FILE.npy",
      parse: { text in
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else { return nil }
        let path = String(text[text.index(after: sign)...])
        return path.isEmpty ? nil : NamedFile(name: String(text[..<sign]), path: path)
      })
  }
}

/// A name and the shape it is to have.
struct NamedShape: Equatable, Sendable {
  let name: String
  let shape: [Int]
}

extension ValueKind where Value == NamedShape {
  /// `NAME=1x3x640x640`, every side from 1 to 65536.
  static var namedShape: ValueKind {
    ValueKind(
      metavar: "NAME=SHAPE",
      expectation: "NAME=SHAPE with sides from 1 to 65536, as images=1x3x640x640",
      parse: { text in
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else { return nil }
        let sides = text[text.index(after: sign)...]
          .split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let shape = sides.compactMap { side in
          side.flatMap { (1...65_536).contains($0) ? $0 : nil }
        }
        guard shape.count == sides.count else { return nil }
        return NamedShape(name: String(text[..<sign]), shape: shape)
      })
  }
}
