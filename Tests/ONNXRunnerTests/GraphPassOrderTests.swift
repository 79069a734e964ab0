import Testing

@testable import ONNXRunner

/// The order of passes is what they themselves say of each other.
@Suite("Order of passes")
struct GraphPassOrderTests {
  private static let inOrder =
    GraphPasses.preparing + [GraphPass.shapeFolding] + GraphPasses.finishing

  @Test("Each pass comes after those that it builds on")
  func order() {
    var seen: Set<PassID> = []
    for pass in Self.inOrder {
      for earlier in pass.after {
        #expect(seen.contains(earlier), "\(pass.id) comes before \(earlier)")
      }
      seen.insert(pass.id)
    }
    #expect(seen.count > 15)
  }

  @Test("Names are told apart, and are found by what a person types")
  func names() {
    #expect(Set(PassID.all).count == PassID.all.count)
    for id in PassID.all { #expect(PassID(id.description) == id) }
    let unknown: String = "constant-foldin"
    #expect(PassID(unknown) == nil)
  }
}
