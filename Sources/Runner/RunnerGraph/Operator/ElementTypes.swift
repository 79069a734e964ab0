import RunnerTensors

/// A set of element types, such as the types that an operator accepts.
package struct ElementTypes: Sendable {
  package let list: [ElementType]

  package init(_ list: [ElementType]) {
    self.list = ElementType.documented.filter(list.contains)
  }

  package static func + (a: ElementTypes, b: ElementTypes) -> ElementTypes {
    ElementTypes(a.list + b.list)
  }

  package static let real = ElementTypes([.float16, .bfloat16, .float32, .float64])
  package static let float32 = ElementTypes([.float32])
  package static let integer = ElementTypes(
    ElementType.allCases.filter { $0.isInteger && $0.bitCount >= 8 })
  package static let float8 = ElementTypes([
    .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz,
  ])
  /// Numbers of 8 and 4 bits that can only be stored, converted and quantised.
  package static let narrow = float8 + ElementTypes([.int4, .uint4, .float4e2m1])
  package static let numeric = real + integer
  package static let bool = ElementTypes([.bool])
  package static let any = numeric + bool + ElementTypes([.string])

  /// The names of the sets above that it consists of, then of single types.
  package var description: String {
    if list == Self.any.list { return "any" }
    var parts: [String] = []
    var rest = list
    for (name, set) in [
      ("any", Self.any), ("numeric", Self.numeric), ("real", Self.real), ("integer", Self.integer),
      ("float8", Self.float8),
    ]
    where set.list.allSatisfy(rest.contains) {
      parts.append(name)
      rest.removeAll(where: set.list.contains)
    }
    return (parts + rest.map(\.description)).joined(separator: ", ")
  }
}

extension ElementType {
  /// All types, in the order of the documentation.
  fileprivate static let documented: [ElementType] = [
    .float16, .bfloat16, .float32, .float64, .int8, .int16, .int32, .int64, .uint8, .uint16,
    .uint32,
    .uint64, .bool, .string, .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz,
    .float8e8m0, .int4, .uint4, .float4e2m1,
  ]
}
