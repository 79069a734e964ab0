extension ImageFile {
  /// Whether bytes begin as an image file does, of a format that is read here or of another.
  ///
  /// - Parameter bytes: the first bytes of a file; 32 are enough.
  public static func isImage(beginningWith bytes: [UInt8]) -> Bool {
    switch FileSignature(of: Array(bytes.prefix(FileSignature.length))) {
    case .supported, .unsupported: true
    case .other: false
    }
  }
}
