import Foundation
import FuzzSupport
import ModelTrial
import ONNXRunner

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
  options.foldsConstants = switches & 1 == 0
  options.blocksChannels = switches & 2 == 0
  options.fusesActivations = switches & 4 == 0
  options.widensHalfPrecision = switches & 8 == 0
  options.usesWinograd = switches & 16 == 0
  var writer = GraphWriter(choices)
  let model = writer.model()
  if let path = ProcessInfo.processInfo.environment["TALLY_FUZZ_MODEL"] {
    FileManager.default.createFile(atPath: path, contents: model)
  }
  Trial.run(model, options: options)
  return 0
}
