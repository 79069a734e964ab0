extension ElementType {
  /// ONNX's name for element type `number`, for messages about unsupported types.
  package static func name(of number: Int) -> String {
    if let type = ElementType(rawValue: number) { return type.description }
    let others = [14: "complex64", 15: "complex128"]
    return others[number] ?? "of element type \(number)"
  }
}
