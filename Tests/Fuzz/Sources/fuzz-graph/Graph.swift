import Foundation
import FuzzSupport
import ModelTrial

@testable import ONNXRunner

/// The bytes decide what a small graph is made of.
///
/// Where `TALLY_FUZZ_MODEL` names a file, the model is written there first, for findings to become
/// tests.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let bytes, count > 0 else { return 0 }
  var choices = Choices(UnsafeBufferPointer(start: bytes, count: count))
  let switches = choices.byte()
  var options = SessionOptions(threads: 1)
  let passes: [PassID] = [
    "constant-folding", "channel-blocking", "activation-fusion", "half-widening", .winograd,
    "convolution-merging", "pad-folding", "group-normalization-fusion",
  ]
  for (index, pass) in passes.enumerated() where switches & 1 << index != 0 {
    options.disabledPasses.insert(pass)
  }
  var writer = GraphWriter(choices)
  let model = writer.model()
  if let path = ProcessInfo.processInfo.environment["TALLY_FUZZ_MODEL"] {
    FileManager.default.createFile(atPath: path, contents: model)
  }
  Trial.run(model, options: options)
  return 0
}
