import RunnerTensors

// The messages of onnx.proto that matter here, as far as they matter. Weights are not copied: a
// tensor keeps where its bytes lie in the file.

/// `ModelProto`.
package struct ModelMessage {
  package var irVersion = 0
  package var producerName = ""
  package var producerVersion = ""
  package var modelVersion = 0
  package var documentation = ""
  package var graph: GraphMessage?
  package var opsets: [(domain: String, version: Int)] = []
  package var properties: [String: String] = [:]
  /// The operators that it brings along; see ``inlineFunctions()``.
  package var functions: [FunctionMessage] = []

  package init(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: irVersion = try reader.integer(type)
      case 2: producerName = try reader.string(type)
      case 3: producerVersion = try reader.string(type)
      case 5: modelVersion = try reader.integer(type)
      case 6: documentation = try reader.string(type)
      case 7: graph = try GraphMessage(try reader.message(type))
      case 8: opsets.append(try Self.opset(try reader.message(type)))
      case 14:
        let (key, value) = try keyAndValue(try reader.message(type))
        properties[key] = value
      case 25: functions.append(try FunctionMessage(try reader.message(type)))
      default: try reader.skip(type)
      }
    }
  }

  static func opset(_ reader: WireReader) throws -> (domain: String, version: Int) {
    var reader = reader
    var domain = ""
    var version = 0
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: domain = try reader.string(type)
      case 2: version = try reader.integer(type)
      default: try reader.skip(type)
      }
    }
    return (domain, version)
  }
}

/// `GraphProto`.
package struct GraphMessage {
  package var name = ""
  package var nodes: [NodeMessage] = []
  package var initializers: [TensorMessage] = []
  package var inputs: [ValueMessage] = []
  package var outputs: [ValueMessage] = []
  package var values: [ValueMessage] = []
  package var hasSparseInitializers = false

  package init(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: nodes.append(try NodeMessage(try reader.message(type)))
      case 2: name = try reader.string(type)
      case 5: initializers.append(try TensorMessage(try reader.message(type)))
      case 11: inputs.append(try ValueMessage(try reader.message(type)))
      case 12: outputs.append(try ValueMessage(try reader.message(type)))
      case 13: values.append(try ValueMessage(try reader.message(type)))
      case 15:
        hasSparseInitializers = true
        try reader.skip(type)
      default: try reader.skip(type)
      }
    }
  }
}

/// `NodeProto`.
package struct NodeMessage {
  package var inputs: [String] = []
  package var outputs: [String] = []
  package var name = ""
  package var operation = ""
  package var domain = ""
  /// Which of the functions of one name it calls, if it calls one.
  package var overload = ""
  package var attributes: [AttributeMessage] = []

  init() {}

  package init(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: inputs.append(try reader.string(type))
      case 2: outputs.append(try reader.string(type))
      case 3: name = try reader.string(type)
      case 4: operation = try reader.string(type)
      case 5: attributes.append(try AttributeMessage(try reader.message(type)))
      case 7: domain = try reader.string(type)
      case 8: overload = try reader.string(type)
      default: try reader.skip(type)
      }
    }
  }
}

/// `AttributeProto`.
package struct AttributeMessage {
  package var name = ""
  package var kind = 0
  package var float: Float?
  package var int: Int?
  package var string: String?
  package var tensor: TensorMessage?
  package var graph: GraphMessage?
  package var floats: [Float] = []
  package var ints: [Int] = []
  package var strings: [String] = []
  package var tensors: [TensorMessage] = []
  package var graphs: [GraphMessage] = []
  /// In a function, the attribute of its call that it stands for; empty for one with a value.
  package var reference = ""

  package init(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: name = try reader.string(type)
      case 2: float = try reader.float(type)
      case 3: int = try reader.integer(type)
      case 4: string = try reader.string(type)
      case 5: tensor = try TensorMessage(try reader.message(type))
      case 6: graph = try GraphMessage(try reader.message(type))
      case 7: try reader.floats(type, into: &floats)
      case 8: try reader.integers(type, into: &ints)
      case 9: strings.append(try reader.string(type))
      case 10: tensors.append(try TensorMessage(try reader.message(type)))
      case 11: graphs.append(try GraphMessage(try reader.message(type)))
      case 20: kind = try reader.integer(type)
      case 21: reference = try reader.string(type)
      default: try reader.skip(type)
      }
    }
  }
}

/// `TensorProto`.
package struct TensorMessage {
  package var name = ""
  package var shape: [Int] = []
  package var elementType = 0
  var isSegment = false
  /// The range of the elements in the file, if they are there little-endian and packed.
  package var raw: Range<Int>?
  package var floats: [Float] = []
  package var doubles: [Double] = []
  /// `int32_data`, which holds all narrow types, `int64_data` or `uint64_data`.
  package var integers: [Int] = []
  package var strings: [String] = []
  var isExternal = false
  var external: [String: String] = [:]

  package init(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: try reader.integers(type, into: &shape)
      case 2: elementType = try reader.integer(type)
      case 3:
        isSegment = true
        try reader.skip(type)
      case 4: try reader.floats(type, into: &floats)
      case 5, 7, 11: try reader.integers(type, into: &integers)
      case 6: strings.append(try reader.string(type))
      case 8: name = try reader.string(type)
      case 9: raw = try reader.bytes(type)
      case 10: try reader.doubles(type, into: &doubles)
      case 13:
        let (key, value) = try keyAndValue(try reader.message(type))
        external[key] = value
      case 14: isExternal = try reader.integer(type) == 1
      default: try reader.skip(type)
      }
    }
  }
}

/// `ValueInfoProto`, for tensors, and sequences and options of them.
package struct ValueMessage {
  package var name = ""
  /// What the value is; nil for a map and other kinds that are not known here.
  package var kind: ValueDescription.Kind? = .tensor
  /// ONNX's number of the tensors' element type; nil if the file does not give it.
  package var elementType: Int?
  /// The dimensions; nil if the file does not even give their number.
  package var shape: [ValueDescription.Dimension]?

  package init(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: name = try reader.string(type)
      case 2: try readType(try reader.message(type))
      default: try reader.skip(type)
      }
    }
  }

  private mutating func readType(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: try readTensorType(try reader.message(type))
      case 4, 9:
        // An option of a sequence is an option.
        if kind == .tensor { kind = field == 4 ? .sequence : .optional }
        try readElementType(try reader.message(type))
      case 5, 7, 8:
        kind = nil
        try reader.skip(type)
      default: try reader.skip(type)
      }
    }
  }

  /// The type of what a sequence or an option holds.
  private mutating func readElementType(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      if field == 1 { try readType(try reader.message(type)) } else { try reader.skip(type) }
    }
  }

  private mutating func readTensorType(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1: elementType = try reader.integer(type)
      case 2: shape = try Self.readShape(try reader.message(type))
      default: try reader.skip(type)
      }
    }
  }

  private static func readShape(_ reader: WireReader) throws -> [ValueDescription.Dimension] {
    var reader = reader
    var shape: [ValueDescription.Dimension] = []
    while let (field, type) = try reader.nextField() {
      if field == 1 {
        shape.append(try readDimension(try reader.message(type)))
      } else {
        try reader.skip(type)
      }
    }
    return shape
  }

  private static func readDimension(_ reader: WireReader) throws -> ValueDescription.Dimension {
    var reader = reader
    var dimension = ValueDescription.Dimension.unknown
    while let (field, type) = try reader.nextField() {
      switch field {
      case 1:
        // Some exporters write -1 for "not known".
        let extent = try reader.integer(type)
        dimension = extent >= 0 ? .fixed(extent) : .unknown
      case 2:
        let name = try reader.string(type)
        dimension = name.isEmpty || name == "?" ? .unknown : .symbolic(name)
      default: try reader.skip(type)
      }
    }
    return dimension
  }
}

/// `SequenceProto` and `OptionalProto`, of tensors: the fields of a value in a file of its own.
package struct ValueContents {
  package var tensors: [TensorMessage] = []
  /// Whether an option holds something, and whether that is a sequence.
  var isPresent = false
  package var isSequence = false

  package init(sequence reader: WireReader) throws {
    isPresent = true
    isSequence = true
    try read(reader)
  }

  package init(optional reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      switch field {
      case 3:
        isPresent = true
        tensors = [try TensorMessage(try reader.message(type))]
      case 5:
        isPresent = true
        isSequence = true
        try read(try reader.message(type))
      default: try reader.skip(type)
      }
    }
  }

  private mutating func read(_ reader: WireReader) throws {
    var reader = reader
    while let (field, type) = try reader.nextField() {
      if field == 3 {
        tensors.append(try TensorMessage(try reader.message(type)))
      } else {
        try reader.skip(type)
      }
    }
  }
}

/// `StringStringEntryProto`.
private func keyAndValue(_ reader: WireReader) throws -> (String, String) {
  var reader = reader
  var key = ""
  var value = ""
  while let (field, type) = try reader.nextField() {
    switch field {
    case 1: key = try reader.string(type)
    case 2: value = try reader.string(type)
    default: try reader.skip(type)
    }
  }
  return (key, value)
}
