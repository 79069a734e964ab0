/// Text that nobody can guess.
package enum RandomText {
  private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")

  /// 20 letters and digits, which are 100 random bits.
  package static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(
      (0..<20).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
  }
}
