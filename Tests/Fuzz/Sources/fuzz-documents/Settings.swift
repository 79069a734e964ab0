import CountReport
import CountSettings
import CountTemplates
import Counting
import Foundation
import FuzzSupport
import ReferenceModels

extension Target {
  private static let configurationSeeds = [
    "{\"confidence\":0.2,\"sizeSigma\":\"off\",\"aspect\":{\"range\":[0.45,2.2]},"
      + "\"mergeFirst\":\"main\",\"adaptive\":\"off\"}",
    "{\"set\":\"adaptive\",\"batchSize\":8,\"adaptive\":{\"tilesPerSide\":3,\"partShare\":\"off\"}}",
    "{\"aspect\":{\"sigma\":0.5},\"similarity\":0.7,\"areaSigma\":2}", "{}",
  ].map { Array($0.utf8) }

  /// The thresholds of a count: what is read is valid, and is written so that it is read again.
  static let configuration = Target("configuration", seeds: { configurationSeeds }) { bytes in
    try refusable(CountingConfigurationError.self) {
      let configuration = try CountingConfiguration(json: Data(bytes))
      try configuration.validate()
      let again = try CountingConfiguration(json: try JSONEncoder().encode(configuration))
      expect(again == configuration, "\(configuration) is read again as \(again)")
    }
  }

  /// What a person has set: what is read is written so that it is read again.
  static let settings = Target("settings", seeds: { configurationSeeds }) { bytes in
    let file = SettingsFile(try Scratch.write(bytes, to: "settings.json").path)
    try refusable(SettingsError.self) {
      guard let settings = try file.read() else { fatalError("the file is there") }
      let again = try CountingSettings(json: Data(settings.text.utf8))
      expect(again == settings, "\(settings.text) is read again as \(again.text)")
      try settings.configuration().validate()
    }
  }

  /// What a person changed about a count.
  static let correction = Target(
    "correction",
    seeds: {
      [
        """
        {"tallyCorrection":1,"width":640,"height":480,"count":2,"removed":[[1,2,3,4]],
        "moved":[{"from":[1,2,3,4],"to":[2,3,4,5]}],"added":[[5.5,6,7,8]]}
        """
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    try refusable(CountCorrectionError.self) {
      let correction = try CountCorrection(json: Data(bytes))
      let again = try CountCorrection(json: try correction.json())
      expect(again == correction, "\(correction) is read again as \(again)")
    }
  }

  /// What other photos taught about a kind.
  static let template = Target(
    "template",
    seeds: {
      let digest = String(repeating: "0a", count: 32)
      return [
        """
        {"tallyTemplate":1,"name":"cups","created":"2026-11-22T22:47:34Z","photo":"a.jpg","objects":3,
        "models":{"detector":"\(digest)","embedder":"\(digest)"},"embedderPreset":"p","side":40,
        "aspect":1.5,"like":[[0.6,0.8]],"unlike":[[1,0]]}
        """
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    try refusable(TemplateError.self) {
      let template = try StoredTemplate(json: Data(bytes))
      let again = try StoredTemplate(json: try template.json())
      expect(again == template, "\(template) is read again as \(again)")
    }
  }

  /// The names of classes, as lists, objects and lines have them.
  static let classes = Target(
    "classes",
    seeds: {
      [
        "cat\ndog\n\nbird\n", "[\"cat\", 'dog', \"\\u00e9\"]", "{0: 'cat', 1: 'dog'}",
        "{\"names\":{\"0\":\"cat\",\"1\":\"dog\"}}", "{\"cat\":0,\"dog\":1}",
        "{\"id2label\":[\"a\",\"b\"]}", "\u{FEFF}one\r\ntwo",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    try refusable(ClassLabelsError.self) {
      let labels = try ClassLabels(data: Data(bytes))
      expect(labels.names.allSatisfy { !$0.isEmpty }, "a class without a name: \(labels)")
      let again = try ClassLabels(labels.names)
      expect(again == labels, "\(labels) is read again as \(again)")
    }
  }
}
