import Counting
import Foundation
import Testing

@Suite("Counting configuration")
struct ConfigurationTests {
  @Test("the standard values")
  func standard() {
    let values = CountingConfiguration.standard
    #expect(values.confidence == 0.001 && values.nmsIoU == 0.65 && values.sizeSigma == 1)
    #expect(values.aspect == .sigma(0.5) && values.areaSigma == 1 && values.similarity == 0.8)
    #expect(values.mergeIoU == 0.5 && values.mergeFirst == .score)
    #expect(CountingConfiguration() == values && CountingConfiguration(.standard) == values)
  }

  @Test("the Python reference's values")
  func pythonReference() {
    let values = CountingConfiguration.pythonReference
    #expect(values.sizeSigma == 3 && values.aspect == .sigma(1) && values.areaSigma == 2)
    #expect(values.mergeFirst == .main && values.confidence == 0.001)
    #expect(CountingPreset(rawValue: "python-reference")?.configuration == values)
  }

  @Test("presets are valid and ordered by what they let through")
  func presets() throws {
    for preset in CountingPreset.allCases { try preset.configuration.validate() }
    let (precise, balanced, generous) = (
      CountingConfiguration.precise, CountingConfiguration.balanced, CountingConfiguration.generous
    )
    #expect(precise.confidence > balanced.confidence)
    #expect(balanced.confidence > generous.confidence)
    #expect(precise.similarity > balanced.similarity)
    #expect(balanced.similarity > generous.similarity)
  }

  /// A way to spoil a configuration, the field it spoils, and values on its bounds and beyond.
  struct Bound: CustomTestStringConvertible {
    let field: String
    let range: ClosedRange<Double>
    let set: @Sendable (inout CountingConfiguration, Double) -> Void
    var testDescription: String { field }
  }

  static let bounds = [
    Bound(field: "confidence", range: 0.001...0.9) { $0.confidence = $1 },
    Bound(field: "nmsIoU", range: 0...1) { $0.nmsIoU = $1 },
    Bound(field: "sizeSigma", range: 0...100) { $0.sizeSigma = $1 },
    Bound(field: "aspect.sigma", range: 0...100) { $0.aspect = .sigma($1) },
    Bound(field: "aspect.range", range: 0...1000) { $0.aspect = .range(minimum: $1, maximum: $1) },
    Bound(field: "areaSigma", range: 0...100) { $0.areaSigma = $1 },
    Bound(field: "similarity", range: 0.6...0.95) { $0.similarity = $1 },
    Bound(field: "mergeIoU", range: 0...1) { $0.mergeIoU = $1 },
    adaptive("targetSide", 8...1024) { $0.targetSide = $1 },
    adaptive("partShare", 0...1) { $0.partShare = $1 },
    adaptive("sizeFactor", 1.01...100) { $0.sizeFactor = $1 },
    adaptive("aspectFactor", 1.01...100) { $0.aspectFactor = $1 },
    adaptive("perspectiveGain", 0...10) { $0.perspectiveGain = $1 },
    adaptive("containment", 0...1) { $0.containment = $1 },
    adaptive("scoreShare", 0...1) { $0.scoreShare = $1 },
    adaptive("otherSizes", 0...10) { $0.otherSizes = $1 },
    adaptive("leastSilhouette", -1...1) { $0.leastSilhouette = $1 },
    adaptive("leastKindDistance", 0...2) { $0.leastKindDistance = $1 },
  ]

  private static func adaptive(
    _ field: String, _ range: ClosedRange<Double>,
    set: @escaping @Sendable (inout AdaptiveConfiguration, Double) -> Void
  ) -> Bound {
    Bound(field: "adaptive.\(field)", range: range) {
      var settings = AdaptiveConfiguration()
      set(&settings, $1)
      $0.adaptive = settings
    }
  }

  @Test("adaptive settings are read over those of the set, and turned off by a word")
  func adaptiveFields() throws {
    func read(_ json: String) throws -> CountingConfiguration {
      try CountingConfiguration(json: Data(json.utf8))
    }
    let some = try read(
      #"{"set": "adaptive", "adaptive": {"tilesPerSide": 1, "perspectiveGain": "off"}}"#)
    #expect(some.adaptive?.tilesPerSide == 1 && some.adaptive?.perspectiveGain == nil)
    #expect(some.adaptive?.sizeFactor == AdaptiveConfiguration().sizeFactor)
    #expect(try read(#"{"adaptive": {}}"#).adaptive == AdaptiveConfiguration())
    #expect(try read(#"{"set": "adaptive", "adaptive": "off"}"#) == .standard)
    #expect(try read("{}").adaptive == nil)
    for wrong in [
      #"{"adaptive": 5}"#, #"{"adaptive": "on"}"#, #"{"adaptive": {"tilesPerSide": 1.5}}"#,
      #"{"adaptive": {"tiles": 2}}"#, #"{"adaptive": {"sizeFactor": "of"}}"#,
      #"{"adaptive": {"keepsCutObjects": 1}}"#, #"{"adaptive": {"tilesPerSide": 0}}"#,
      #"{"adaptive": null}"#, #"{"adaptive": []}"#,
    ] {
      #expect(throws: CountingConfigurationError.self, "\(wrong)") { try read(wrong) }
    }
    do {
      _ = try read(#"{"adaptive": {"sizeFactor": "of"}}"#)
    } catch {
      #expect("\(error)" == "adaptive.sizeFactor must be a number or \"off\"")
    }
  }

  @Test("adaptive settings come back as they were written")
  func adaptiveRoundTrip() throws {
    var settings = AdaptiveConfiguration()
    (settings.tilesPerSide, settings.targetSide, settings.scoreShare) = (5, 64, nil)
    (settings.keepsCutObjects, settings.partShare) = (false, 0.6)
    var configuration = CountingConfiguration.adaptive
    configuration.adaptive = settings
    let data = try JSONEncoder().encode(configuration)
    #expect(try CountingConfiguration(json: data) == configuration)
    let standard = try JSONEncoder().encode(CountingConfiguration.standard)
    #expect(try CountingConfiguration(json: standard, basis: .adaptive) == .standard)
  }

  @Test("bounds are inside their range, what lies beyond is refused by name", arguments: bounds)
  func ranges(bound: Bound) throws {
    for inside in [bound.range.lowerBound, bound.range.upperBound] {
      var values = CountingConfiguration()
      bound.set(&values, inside)
      try values.validate()
    }
    let beyond = [
      bound.range.lowerBound.nextDown, bound.range.upperBound.nextUp, -2, .nan, .infinity,
      -.infinity,
    ]
    for outside in beyond {
      var values = CountingConfiguration()
      bound.set(&values, outside)
      let error = #expect(throws: CountingConfigurationError.self) { try values.validate() }
      guard case .outOfRange(let field, let value, let minimum, let maximum)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(field == bound.field && minimum...maximum == bound.range)
      #expect(value == outside || value.isNaN && outside.isNaN)
    }
  }

  @Test("the error's text names field, value and range")
  func errorText() {
    var values = CountingConfiguration()
    values.similarity = 0.5
    let error = #expect(throws: CountingConfigurationError.self) { try values.validate() }
    #expect(error?.description == "similarity is 0.5; it must be in 0.6...0.95")
    values.similarity = .nan
    let second = #expect(throws: CountingConfigurationError.self) { try values.validate() }
    #expect(second?.description == "similarity is nan; it must be in 0.6...0.95")
  }

  @Test("a batch of none or of too many, and a range the wrong way round, are refused")
  func others() {
    var values = CountingConfiguration()
    for size in [0, -1, 1025, .min, .max] {
      values.batchSize = size
      #expect(throws: CountingConfigurationError.self) { try values.validate() }
    }
    values = .standard
    values.aspect = .range(minimum: 2, maximum: 1)
    #expect(
      throws: CountingConfigurationError.emptyRange(field: "aspect.range", minimum: 2, maximum: 1)
    ) { try values.validate() }
  }

  @Test("what is written is read again", arguments: CountingPreset.allCases)
  func roundTrip(preset: CountingPreset) throws {
    var values = preset.configuration
    for change in 0..<4 {
      switch change {
      case 1: values.sizeSigma = nil
      case 2: values.aspect = .off
      case 3: values.aspect = .range(minimum: 0.45, maximum: 2.2)
      default: break
      }
      let data = try JSONEncoder().encode(values)
      #expect(try JSONDecoder().decode(CountingConfiguration.self, from: data) == values)
      #expect(try CountingConfiguration(json: data, basis: .generous) == values)
    }
  }

  @Test("absent fields keep the basis, or the named preset")
  func partial() throws {
    let json = Data(#"{"confidence": 0.2, "aspect": {"range": [0.45, 2.2]}}"#.utf8)
    var expected = CountingConfiguration.standard
    expected.confidence = 0.2
    expected.aspect = .range(minimum: 0.45, maximum: 2.2)
    #expect(try CountingConfiguration(json: json) == expected)
    expected = .generous
    expected.confidence = 0.2
    expected.aspect = .range(minimum: 0.45, maximum: 2.2)
    #expect(try CountingConfiguration(json: json, basis: .generous) == expected)
    let named = Data(#"{"set": "python-reference", "sizeSigma": "off"}"#.utf8)
    expected = .pythonReference
    expected.sizeSigma = nil
    #expect(try CountingConfiguration(json: named, basis: .generous) == expected)
    #expect(try CountingConfiguration(json: Data("{}".utf8)) == .standard)
  }

  @Test("what suits the bundled models is taken for those that are used, in two of the sets")
  func bundledModels() throws {
    let both = CountingConfiguration.adaptive.suitedToBundledModels()
    var neither = both
    neither.confidence = CountingConfiguration.adaptive.confidence
    neither.nmsIoU = CountingConfiguration.adaptive.nmsIoU
    neither.adaptive = AdaptiveConfiguration()
    #expect(neither == .adaptive)
    let detector = CountingConfiguration.adaptive.suitedToBundledModels(embedder: false)
    #expect(detector != .adaptive && detector != both)
    #expect(detector.suitedToBundledModels(detector: false) == both)
    #expect(CountingConfiguration.standard.suitedToBundledModels(detector: false) == .standard)
    for preset in CountingPreset.allCases {
      let suited = preset.configuration.suitedToBundledModels()
      try suited.validate()
      #expect((suited == preset.configuration) == ![.adaptive, .standard].contains(preset))
    }
    let json = Data(#"{"set": "adaptive", "nmsIoU": 0.5}"#.utf8)
    var expected = both
    expected.nmsIoU = 0.5
    #expect(
      try CountingConfiguration(json: json) { $0.configuration.suitedToBundledModels() } == expected
    )
  }

  @Test(
    "an unknown field is refused by name",
    arguments: [
      (#"{"confidense": 0.2}"#, "confidense"), (#"{"aspect": {"sigmas": 1}}"#, "aspect.sigmas"),
      (#"{"nmsIoU": 0.5, "zoom": null}"#, "zoom"),
    ])
  func unknownField(json: String, name: String) {
    for read in [
      { try CountingConfiguration(json: Data(json.utf8)) },
      { try JSONDecoder().decode(CountingConfiguration.self, from: Data(json.utf8)) },
    ] {
      let error = #expect(throws: CountingConfigurationError.self) { _ = try read() }
      guard case .unknownField(name, let known)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(!known.isEmpty && error?.description.contains("\"\(name)\"") == true)
    }
  }

  @Test(
    "a value of the wrong kind is refused by name",
    arguments: [
      (#"{"confidence": "high"}"#, "confidence"), (#"{"confidence": null}"#, "confidence"),
      (#"{"sizeSigma": "on"}"#, "sizeSigma"), (#"{"sizeSigma": [1]}"#, "sizeSigma"),
      (#"{"aspect": 3}"#, "aspect"), (#"{"aspect": {}}"#, "aspect"),
      (#"{"aspect": {"range": [1]}}"#, "aspect"), (#"{"aspect": {"range": [1, 2, 3]}}"#, "aspect"),
      (#"{"aspect": {"sigma": 1, "range": [1, 2]}}"#, "aspect"),
      (#"{"mergeFirst": "other"}"#, "mergeFirst"), (#"{"batchSize": 1.5}"#, "batchSize"),
      (#"{"batchSize": 1e300}"#, "batchSize"), (#"{"set": "best"}"#, "set"),
    ])
  func wrongKind(json: String, name: String) {
    let error = #expect(throws: CountingConfigurationError.self) {
      _ = try CountingConfiguration(json: Data(json.utf8))
    }
    guard case .wrongKind(name, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "text that is not a JSON object is refused",
    arguments: ["", "[]", "3", "{", "{\"confidence\": NaN}", "\"standard\"", "\u{0}"])
  func notJSON(text: String) {
    let error = #expect(throws: CountingConfigurationError.self) {
      _ = try CountingConfiguration(json: Data(text.utf8))
    }
    guard case .notJSON(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test("a value out of range is refused while reading")
  func outOfRange() {
    #expect(
      throws: CountingConfigurationError.outOfRange(
        field: "similarity", value: 0.99, minimum: 0.6, maximum: 0.95)
    ) { _ = try CountingConfiguration(json: Data(#"{"similarity": 0.99}"#.utf8)) }
  }
}
