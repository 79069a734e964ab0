extension ElementType {
  /// What ONNX calls element type `number`, for messages about those that are not supported.
  package static func name(of number: Int) -> String {
    if let type = ElementType(rawValue: number) { return type.description }
    let others = [
      14: "complex64", 15: "complex128", 17: "float8e4m3fn", 18: "float8e4m3fnuz",
      19: "float8e5m2", 20: "float8e5m2fnuz", 21: "uint4", 22: "int4", 23: "float4e2m1",
      24: "float8e8m0",
    ]
    return others[number] ?? "of element type \(number)"
  }
}
