/// What some editors and spreadsheets begin a text in UTF-8 with: U+FEFF, which is not a part of
/// it.
enum ByteOrderMark {
  static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}
