import Foundation
import ONNXRunner
import TestSupport
import Testing

/// Bits do not depend on the number of threads.
@Suite struct ThreadIndependenceTests {
  @Test(arguments: SmallModelTests.names) func smallModelsOnSeveralThreads(name: String) throws {
    let one = try SmallModelTests.results(name, SessionOptions(threads: 1))
    for threads in [2, 3, 5] {
      let several = try SmallModelTests.results(name, SessionOptions(threads: threads))
      #expect(one.map { $0.1.map(\.bitPattern) } == several.map { $0.1.map(\.bitPattern) })
    }
  }

  @Test(
    arguments: RealModelTests.goldens.filter {
      ["yolox_nano_416", "ch_PP-OCRv4_rec_infer"].contains($0.model)
    })
  func realModelsOnSeveralThreads(golden: RealModelTests.Golden) throws {
    guard let file = try golden.file() else { return }
    let inputs = try golden.tensors()
    var known: [[UInt32]] = []
    for threads in 1...3 {
      let session = try InferenceSession(
        contentsOf: file, options: SessionOptions(threads: threads))
      let results = try session.run(inputs)
      let bits = try golden.outputs.map {
        try #require(results[$0.name]).floats().map(\.bitPattern)
      }
      if threads == 1 { known = bits }
      #expect(bits == known)
    }
  }
}
