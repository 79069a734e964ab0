import RunnerTensors

extension WireWriter {
  /// A `TensorProto`: the elements byte for byte, as ``WeightLoader`` reads them in place.
  package mutating func tensor(_ field: Int, named name: String, _ tensor: Tensor) throws {
    let texts = tensor.elementType == .string ? try tensor.strings() : []
    message(field) { writer in
      for extent in tensor.shape { writer.integer(1, extent) }
      writer.integer(2, tensor.elementType.rawValue)
      if !name.isEmpty { writer.string(8, name) }
      if tensor.elementType == .string {
        for text in texts { writer.string(6, text) }
        return
      }
      tensor.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
        if tensor.elementType.bitCount == 4 {
          Self.pairs(bytes).withUnsafeBytes { writer.bytes(9, $0) }
        } else {
          writer.bytes(9, bytes)
        }
      }
    }
  }

  /// Two elements of four bits in a byte, the first in the lower half.
  private static func pairs(_ elements: UnsafeRawBufferPointer) -> [UInt8] {
    stride(from: 0, to: elements.count, by: 2).map { (index: Int) -> UInt8 in
      let upper: UInt8 = index + 1 < elements.count ? elements[index + 1] << 4 : 0
      return (elements[index] & 15) | upper
    }
  }

  /// A `ValueInfoProto` of a tensor.
  package mutating func value(_ field: Int, _ description: ValueDescription) {
    message(field) { writer in
      writer.string(1, description.name)
      guard description.kind == .tensor else { return }
      writer.message(2) { type in
        type.message(1) { tensor in
          tensor.integer(1, description.elementType.rawValue)
          guard let shape = description.shape else { return }
          tensor.message(2) { sides in
            for side in shape { sides.dimension(side) }
          }
        }
      }
    }
  }

  private mutating func dimension(_ side: ValueDescription.Dimension) {
    message(1) { writer in
      switch side {
      case .fixed(let extent): writer.integer(1, extent)
      case .symbolic(let name): writer.string(2, name)
      case .unknown: break
      }
    }
  }

  /// A `StringStringEntryProto`.
  package mutating func entry(_ field: Int, key: String, value: String) {
    message(field) { writer in
      writer.string(1, key)
      writer.string(2, value)
    }
  }
}
