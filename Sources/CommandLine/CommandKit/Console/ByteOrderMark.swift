/// The mark U+FEFF that some editors and spreadsheets put before a text in UTF-8; it is not part of
/// the text.
enum ByteOrderMark {
  static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}
