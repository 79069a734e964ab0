extension CountingField {
  /// Throws ``CountingConfigurationError/outOfRange(field:value:minimum:maximum:)`` if a
  /// configuration's value is not in its range; a NaN is in none.
  func check(_ configuration: CountingConfiguration) throws {
    switch value {
    case .number(let place, let range):
      try CountingConfiguration.check(name, configuration[keyPath: place], range)
    case .switchable(let place, let range):
      if let number = configuration[keyPath: place] {
        try CountingConfiguration.check(name, number, range)
      }
    case .whole(let place, let range):
      try CountingConfiguration.check(
        name, Double(configuration[keyPath: place]),
        Double(range.lowerBound)...Double(range.upperBound))
    case .flag: break
    }
  }

  /// Reads the field of an object, if it is there.
  func read(
    _ fields: KeyedDecodingContainer<AnyField>, into configuration: inout CountingConfiguration
  ) throws {
    let field = AnyField(key)
    switch value {
    case .number(let place, _):
      if let number = try Counting.read(Double.self, fields, field, as: "a number") {
        configuration[keyPath: place] = number
      }
    case .switchable(let place, _):
      configuration[keyPath: place] = try readSwitchable(
        fields, field, default: configuration[keyPath: place])
    case .whole(let place, _):
      if let number = try Counting.read(Int.self, fields, field, as: "a whole number") {
        configuration[keyPath: place] = number
      }
    case .flag(let place):
      if let flag = try Counting.read(Bool.self, fields, field, as: "true or false") {
        configuration[keyPath: place] = flag
      }
    }
  }

  /// Writes the field; a part that is off is the word "off".
  func write(
    _ configuration: CountingConfiguration, to fields: inout KeyedEncodingContainer<AnyField>
  ) throws {
    let field = AnyField(key)
    switch value {
    case .number(let place, _): try fields.encode(configuration[keyPath: place], forKey: field)
    case .switchable(let place, _):
      try writeSwitchable(configuration[keyPath: place], to: &fields, field)
    case .whole(let place, _): try fields.encode(configuration[keyPath: place], forKey: field)
    case .flag(let place): try fields.encode(configuration[keyPath: place], forKey: field)
    }
  }
}
