import FuzzSupport

private let program = Program([.clusters, .counted, .heads, .kept, .yolox])

/// Writes the seeds and ends, if that is asked for.
@_cdecl("LLVMFuzzerInitialize")
public func begin(_: UnsafeRawPointer?, _: UnsafeRawPointer?) -> CInt { program.begin() }

/// Gives the target that the environment names some bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt { program.run(bytes, count) }
