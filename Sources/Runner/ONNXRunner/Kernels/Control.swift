extension OperatorTable {
  /// What passes values on or holds them: Identity, Constant.
  static let control: [OperatorDefinition] = [
    OperatorDefinition("Identity", versions: [1, 13, 14, 16, 19, 21, 23, 24], inputs: 1...1) { _ in
      Identity()
    }
  ]
}

/// The input, as it is.
private struct Identity: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    [try context.input(0, of: inputs)]
  }
}
