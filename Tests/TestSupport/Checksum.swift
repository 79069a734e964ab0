/// CRC-32 as zlib and Python's `zlib.crc32` compute it, for goldens too large to store.
public func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
  let table = crcTable
  let fold = { (bytes: UnsafeBufferPointer<UInt8>) -> UInt32 in
    table.withUnsafeBufferPointer { table in
      var crc: UInt32 = 0xFFFF_FFFF
      for index in 0..<bytes.count {
        crc = table[Int((crc ^ UInt32(bytes[index])) & 0xFF)] ^ (crc >> 8)
      }
      return crc ^ 0xFFFF_FFFF
    }
  }
  return bytes.withContiguousStorageIfAvailable(fold) ?? Array(bytes).withUnsafeBufferPointer(fold)
}

/// The CRC-32 of the values' bytes, little-endian, as `zlib.crc32(array.tobytes())` has it.
public func checksum(_ values: [Float]) -> UInt32 {
  values.withUnsafeBytes { checksum($0) }
}

private let crcTable: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
}
