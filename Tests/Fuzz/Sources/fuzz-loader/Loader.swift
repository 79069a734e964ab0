import Foundation
import ModelTrial

/// The bytes are a model file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let bytes, count > 0 else { return 0 }
  Trial.run(Data(bytes: bytes, count: count))
  return 0
}
