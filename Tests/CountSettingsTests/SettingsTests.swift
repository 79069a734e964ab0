import CountSettings
import Counting
import Foundation
import TestSupport
import Testing

/// The settings as an app uses them (FR-032, P12).
@Suite("Settings of an app")
struct SettingsTests {
  /// A value for every field that is not its default.
  private static let values: [String: SettingsValue] = [
    "set": .word("generous"), "confidence": .number(0.21), "nmsIoU": .number(0.61),
    "batchSize": .whole(7), "adaptive.tilesPerSide": .whole(2),
    "adaptive.targetSide": .number(33.5), "adaptive.partShare": .number(0.71),
    "adaptive.sizeFactor": .off, "adaptive.aspectFactor": .number(2.5),
    "adaptive.perspectiveGain": .off, "adaptive.keepsCutObjects": .flag(false),
    "adaptive.containment": .number(0.41), "adaptive.scoreShare": .number(0.01),
    "adaptive.otherSizes": .off, "adaptive.leastSilhouette": .number(-0.25),
    "adaptive.leastKindDistance": .number(0.125), "sizeSigma": .off, "areaSigma": .number(1.75),
    "similarity": .number(0.81), "mergeIoU": .number(0.123456789),
    "aspect": .range(minimum: 0.45, maximum: 2.2), "mergeFirst": .word("main"),
  ]

  @Test("every field has a label, a help and a default, and a slider if it is a number")
  func fields() {
    #expect(Set(SettingsField.all.map(\.name)) == Set(Self.values.keys))
    #expect(Set(SettingsField.all.map(\.id)).count == SettingsField.all.count)
    for field in SettingsField.all {
      #expect(!field.title.isEmpty && field.help.hasSuffix("."), "\(field.name)")
      #expect(field.defaultValue != Self.values[field.name], "\(field.name)")
      let bounds: ClosedRange<Double>?
      switch field.kind {
      case .number(let range), .numberOrOff(let range): bounds = range
      case .whole(let range): bounds = Double(range.lowerBound)...Double(range.upperBound)
      case .flag, .words, .aspect: bounds = nil
      }
      #expect((field.slider == nil) == (bounds == nil), "\(field.name)")
      guard let bounds, let slider = field.slider else { continue }
      #expect(slider.step > 0 && slider.step <= slider.range.upperBound - slider.range.lowerBound)
      #expect(slider.range.clamped(to: bounds) == slider.range, "\(field.name)")
      // A slider shows the default, that of the bundled models too.
      let basis: CountingConfiguration = field.scope == .bands ? .standard : .adaptive
      for configuration in [basis, basis.suitedToBundledModels()] {
        switch field.value(in: configuration) {
        case .number(let number): #expect(slider.range.contains(number), "\(field.name)")
        case .whole(let number): #expect(slider.range.contains(Double(number)), "\(field.name)")
        default: Issue.record("\(field.name) is not a number")
        }
      }
    }
  }

  @Test("a field that is set is in the configuration, and the file is read the same")
  func roundTrip() throws {
    for field in SettingsField.all {
      let value = try #require(Self.values[field.name])
      var settings = CountingSettings()
      #expect(settings.isEmpty && settings.value(of: field) == nil)
      try settings.set(field, to: value)
      #expect(settings.value(of: field) == value && settings.names == [field.name])
      let again = try CountingSettings(json: Data(settings.text.utf8))
      #expect(again == settings && again.value(of: field) == value)
      if field.scope == .set {
        #expect(settings.configuration() == .generous)
      } else {
        let basis: CountingConfiguration = field.scope == .bands ? .standard : .adaptive
        #expect(field.value(in: settings.over(basis)) == value)
        #expect(field.value(in: basis) == field.defaultValue)
      }
    }
  }

  @Test("settings wait for a method that uses them")
  func methods() throws {
    var settings = CountingSettings()
    try settings.set(.named("similarity"), to: .number(0.9))
    #expect(settings.configuration() == .adaptive)
    try settings.set(.named("set"), to: .word("standard"))
    #expect(settings.configuration().similarity == 0.9)
    #expect(settings.configuration().adaptive == nil)
    #expect(settings.configuration(presets: { _ in .precise }).sizeSigma == 2)
  }

  @Test(
    "a value that a field cannot have is refused, and nothing changes",
    arguments: [
      ("confidence", .number(0.95)), ("confidence", .number(.nan)), ("confidence", .off),
      ("confidence", .whole(1)), ("batchSize", .whole(0)), ("batchSize", .number(2)),
      ("adaptive.sizeFactor", .number(.infinity)), ("adaptive.keepsCutObjects", .whole(1)),
      ("set", .word("best")), ("mergeFirst", .word("")), ("aspect", .number(1)),
      ("aspect", .deviations(-1)), ("aspect", .range(minimum: 3, maximum: 2)),
      ("aspect", .range(minimum: .nan, maximum: 2)),
    ] as [(String, SettingsValue)])
  func invalid(name: String, value: SettingsValue) throws {
    var settings = CountingSettings()
    let field = try SettingsField.named(name)
    #expect {
      try settings.set(field, to: value)
    } throws: { error in
      guard case .invalidValue(_, let field) = error as? SettingsError else { return false }
      return field == name
    }
    #expect(settings == CountingSettings())
    #expect(throws: SettingsError.noField("confidense")) { try SettingsField.named("confidense") }
  }

  @Test(
    "an error says which values a field can have",
    arguments: [
      ("confidence", .number(7), "confidence cannot be 7; it must be a number from 0.001 to 0.9"),
      ("batchSize", .number(0.5), "batchSize cannot be 0.5; it must be a whole number from 1 to"),
      ("adaptive.keepsCutObjects", .off, "adaptive.keepsCutObjects cannot be off; it must be true"),
      ("mergeFirst", .word("up"), "mergeFirst cannot be 'up'; it must be one of"),
    ] as [(String, SettingsValue, String)])
  func expectation(name: String, value: SettingsValue, text: String) throws {
    var settings = CountingSettings()
    let field = try SettingsField.named(name)
    let error = #expect(throws: SettingsError.self) { try settings.set(field, to: value) }
    #expect(error?.description.hasPrefix(text) == true, "\(error?.description ?? "")")
  }

  @Test("a file and memory keep the same", arguments: [true, false])
  func stores(isFile: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = SettingsFile(folder.path("deep/settings.json"))
    let store: any SettingsStore = isFile ? file : MemorySettings()
    #expect(try await store.read() == nil)
    #expect(try await store.reset() == nil)
    try await store.change(forgetting: []) {
      try $0.set(.named("confidence"), to: .number(0.2))
      try $0.set(.named("adaptive.tilesPerSide"), to: .whole(2))
    }
    #expect(try await store.read()?.configuration().confidence == 0.2)
    await #expect(throws: SettingsError.self) {
      try await store.change(forgetting: []) {
        try $0.set(.named("nmsIoU"), to: .number(0.4))
        try $0.set(.named("nmsIoU"), to: .number(4))
      }
    }
    #expect(try await store.read()?.names == ["confidence", "adaptive.tilesPerSide"])
    let left = try await store.change(forgetting: ["adaptive"]) { _ in }
    #expect(left.names == ["confidence"])
    #expect(try await store.reset() == SettingsReset(fields: 1))
    #expect(try await store.read() == nil)
  }

  @Test("a damaged file is an error that says where, and a reset keeps it beside")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("settings.json", text: #"{"confidence": 7}"#)
    let file = SettingsFile(path)
    let wrong = CountingConfigurationError.outOfRange(
      field: "confidence", value: 7, minimum: 0.001, maximum: 0.9)
    #expect(throws: SettingsError.damaged(path: path, wrong)) { try file.read() }
    #expect(throws: SettingsError.damaged(path: path, wrong)) { try file.change { _ in } }
    #expect(try file.change(forgetting: ["confidence"]) { _ in }.isEmpty)
    try Data("[".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try file.reset() == SettingsReset(fields: 0, damagedPath: path + ".damaged"))
    #expect(try file.read() == nil)
  }
}
