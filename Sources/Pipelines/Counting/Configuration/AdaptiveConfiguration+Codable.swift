extension AdaptiveConfiguration: Encodable {
  private enum Field: String, CodingKey, CaseIterable {
    case tilesPerSide, targetSide, partShare, sizeFactor, aspectFactor, perspectiveGain
    case keepsCutObjects, containment, scoreShare, otherSizes, leastSilhouette, leastKindDistance
  }

  /// These settings with the fields that an object has.
  ///
  /// - Throws: ``CountingConfigurationError`` for an unknown field or a value of the wrong kind.
  func changed(by decoder: any Decoder) throws -> AdaptiveConfiguration {
    guard let fields = try? decoder.container(keyedBy: Field.self) else {
      throw CountingConfigurationError.wrongKind(
        field: "adaptive", expected: "\"off\" or an object of adaptive settings")
    }
    try refuseUnknownFields(
      in: decoder, known: Field.allCases.map(\.rawValue), prefix: "adaptive.")
    var changed = self
    changed.tilesPerSide =
      try read(Int.self, fields, .tilesPerSide, as: "a whole number") ?? tilesPerSide
    changed.targetSide = try read(Double.self, fields, .targetSide, as: "a number") ?? targetSide
    changed.partShare = try readSwitchable(fields, .partShare, default: partShare)
    changed.sizeFactor = try readSwitchable(fields, .sizeFactor, default: sizeFactor)
    changed.aspectFactor = try readSwitchable(fields, .aspectFactor, default: aspectFactor)
    changed.perspectiveGain = try readSwitchable(
      fields, .perspectiveGain, default: perspectiveGain)
    changed.keepsCutObjects =
      try read(Bool.self, fields, .keepsCutObjects, as: "true or false") ?? keepsCutObjects
    changed.containment = try readSwitchable(fields, .containment, default: containment)
    changed.scoreShare = try readSwitchable(fields, .scoreShare, default: scoreShare)
    changed.otherSizes = try readSwitchable(fields, .otherSizes, default: otherSizes)
    changed.leastSilhouette = try readSwitchable(
      fields, .leastSilhouette, default: leastSilhouette)
    changed.leastKindDistance =
      try read(Double.self, fields, .leastKindDistance, as: "a number") ?? leastKindDistance
    return changed
  }

  /// Writes every field; a part that is off is the word "off".
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(tilesPerSide, forKey: .tilesPerSide)
    try fields.encode(targetSide, forKey: .targetSide)
    try writeSwitchable(partShare, to: &fields, .partShare)
    try writeSwitchable(sizeFactor, to: &fields, .sizeFactor)
    try writeSwitchable(aspectFactor, to: &fields, .aspectFactor)
    try writeSwitchable(perspectiveGain, to: &fields, .perspectiveGain)
    try fields.encode(keepsCutObjects, forKey: .keepsCutObjects)
    try writeSwitchable(containment, to: &fields, .containment)
    try writeSwitchable(scoreShare, to: &fields, .scoreShare)
    try writeSwitchable(otherSizes, to: &fields, .otherSizes)
    try writeSwitchable(leastSilhouette, to: &fields, .leastSilhouette)
    try fields.encode(leastKindDistance, forKey: .leastKindDistance)
  }
}
