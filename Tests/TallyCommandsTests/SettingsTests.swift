import CountSettings
import Counting
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import CountCommands

/// A folder with a person's settings, and what runs with them.
struct SettingsHome {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path("tally/settings.json") }
  var environment: [String: String] { ["XDG_CONFIG_HOME": folder.url.path] }

  /// Writes the file, whatever it is.
  func write(_ text: String) throws { try write(Data(text.utf8)) }

  func write(_ data: Data) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("tally"), withIntermediateDirectories: true)
    try data.write(to: URL(fileURLWithPath: path))
  }

  var text: String? { try? String(contentsOfFile: path, encoding: .utf8) }

  /// Runs `tally settings`.
  func settings(_ arguments: String...) async -> CommandRun {
    await tally(["settings"] + arguments, environment: environment)
  }

  /// Runs `tally count` on the squares.
  func count(_ arguments: String...) async -> CommandRun {
    await tally(["count", Squares.png] + arguments + Squares.models, environment: environment)
  }

  /// The configuration of a count with these options.
  func configuration(_ options: String...) throws -> CountingConfiguration {
    let arguments = try ArgumentParser(specification: CountCommand.specification)
      .parse(["photo.jpg"] + options)
    let console = Console(output: MemorySink(), errors: MemorySink(), environment: environment)
    return try CountingConfiguration(
      arguments, settings: SettingsInputs.inForce(arguments, console))
  }
}

@Suite("Settings")
struct SettingsTests {
  /// Another value than any set's for every field, as it is typed.
  static let values: [(name: String, text: String)] = [
    ("set", "generous"), ("confidence", "0.21"), ("nmsIoU", "0.61"), ("batchSize", "7"),
    ("adaptive.tilesPerSide", "2"), ("adaptive.targetSide", "33.5"),
    ("adaptive.partShare", "0.71"), ("adaptive.sizeFactor", "off"),
    ("adaptive.aspectFactor", "2.5"), ("adaptive.perspectiveGain", "off"),
    ("adaptive.keepsCutObjects", "false"), ("adaptive.containment", "0.41"),
    ("adaptive.scoreShare", "0.01"), ("adaptive.otherSizes", "off"),
    ("adaptive.leastSilhouette", "-0.25"), ("adaptive.leastKindDistance", "0.125"),
    ("sizeSigma", "off"), ("areaSigma", "1.75"), ("similarity", "0.81"),
    ("mergeIoU", "0.123456789"), ("aspect", "0.45:2.2"), ("mergeFirst", "main"),
  ]

  @Test("There is a field for each of a configuration, and none besides")
  func completeness() throws {
    #expect(Self.values.map(\.name) == SettingsField.all.map(\.name))
    let encoded = try JSONEncoder().encode(CountingConfiguration.adaptive)
    let object = try #require(
      try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
    let adaptive = try #require(object["adaptive"] as? [String: Any])
    let names =
      object.keys.filter { $0 != "adaptive" } + adaptive.keys.map { "adaptive.\($0)" } + ["set"]
    #expect(Set(names) == Set(SettingsField.all.map(\.name)))
    // Every threshold's option goes over a field.
    let options = Set(SettingsField.all.flatMap(\.options))
    for group in CountCommand.specification.groups where group.title.hasPrefix("Thresholds") {
      for option in group.options where !["settings", "config", "like"].contains(option.name) {
        #expect(options.contains(option.name), "\(option.name)")
      }
    }
  }

  @Test("Every field is set, shown, in the file, in force, and taken back", arguments: values)
  func roundTrip(name: String, text: String) async throws {
    let home = try SettingsHome()
    let field = try SettingsField.named(name)
    let set = await home.settings("set", "\(name)=\(text)")
    #expect(set.code == .success && set.errors.isEmpty, "\(set)")
    #expect(set.outputLines.first == "\(name): \(text)")
    // What the file says is what --config understands.
    let data = try Data(contentsOf: URL(fileURLWithPath: home.path))
    let read = try CountingSettings(json: data)
    #expect(read.names == [name] && field.text(read.values) == text)
    let shown = try await home.settings("show", "--json").json()
    let fields = try #require(shown["fields"] as? [[String: Any]])
    #expect(fields.filter { $0["from"] as? String == "settings" }.count == 1)
    let row = try #require(fields.first { $0["name"] as? String == name })
    #expect(row["from"] as? String == "settings")
    // In force where the method looks at it.
    let named = field.scope == .bands ? ["--set", "standard"] : []
    let arguments = try ArgumentParser(specification: CountCommand.specification)
      .parse(["a.jpg"] + named)
    let counted = try CountingConfiguration(arguments, settings: read)
    if field.scope == .set {
      #expect(counted == .generous)
    } else {
      #expect(field.text(SettingsValues(configuration: counted)) == text)
      let plain = try CountingConfiguration(arguments)
      #expect(counted != plain)
      var expected = SettingsValues(configuration: plain)
      #expect(field.put(try #require(field.typed(text)), into: &expected))
      #expect(counted == expected.configuration, "and nothing else changes")
    }
    let reset = await home.settings("reset", name)
    #expect(reset.code == .success && reset.output == "\(name): taken out\n")
    #expect(home.text == "{}\n")
  }

  @Test("All fields at once, and each taken out leaves the others")
  func together() async throws {
    let home = try SettingsHome()
    let words = Self.values.map { "\($0.name)=\($0.text)" }
    let run = await tally(["settings", "set"] + words, environment: home.environment)
    #expect(run.code == .success, "\(run)")
    var left = Set(Self.values.map(\.name))
    for (name, _) in Self.values {
      #expect(await home.settings("reset", name).code == .success)
      left.remove(name)
      let read = try #require(try SettingsFile(home.path).read())
      #expect(read.names == left)
      for field in read.fields {
        let text = Self.values.first { $0.name == field.name }?.text
        #expect(field.text(read.values) == text)
      }
    }
    #expect(await home.settings("set", "confidence=0.2", "nmsIoU=0.4").code == .success)
    let all = await home.settings("reset")
    #expect(all.output == "\(home.path): 2 fields taken out\n")
    #expect(home.text == nil)
    #expect(await home.settings("reset").output == "\(home.path): there are no settings\n")
    #expect(
      await home.settings("reset", "confidence").output == "\(home.path): there are no settings\n")
  }

  @Test("The set, then settings, then --config, then options")
  func layers() throws {
    let home = try SettingsHome()
    #expect(try home.configuration() == .adaptive.suitedToBundledModels())
    try home.write(#"{"confidence": 0.3, "nmsIoU": 0.4, "batchSize": 9}"#)
    var expected = CountingConfiguration.adaptive.suitedToBundledModels()
    (expected.confidence, expected.nmsIoU, expected.batchSize) = (0.3, 0.4, 9)
    #expect(try home.configuration() == expected)
    let config = try home.folder.write("c.json", text: #"{"nmsIoU": 0.5, "batchSize": 2}"#)
    (expected.nmsIoU, expected.batchSize) = (0.5, 2)
    #expect(try home.configuration("--config", config) == expected)
    expected.nmsIoU = 0.6
    #expect(try home.configuration("--config", config, "--nms", "0.6") == expected)
    #expect(
      try home.configuration("--settings", "none") == .adaptive.suitedToBundledModels())
    let other = try home.folder.write("o.json", text: #"{"confidence": 0.11}"#)
    #expect(try home.configuration("--settings", other).confidence == 0.11)
    #expect(try home.configuration("--settings", other).nmsIoU != 0.4)
    // A set that --config names is the lowest layer, wherever it is named.
    let named = try home.folder.write("s.json", text: #"{"set": "precise", "similarity": 0.7}"#)
    var precise = CountingConfiguration.precise
    (precise.confidence, precise.nmsIoU, precise.batchSize) = (0.3, 0.4, 9)
    precise.similarity = 0.7
    #expect(try home.configuration("--config", named) == precise)
  }

  @Test(
    "The set of the settings holds where a command line names none and asks for no other method")
  func sets() throws {
    let home = try SettingsHome()
    try home.write(
      #"{"set": "precise", "similarity": 0.9, "adaptive": {"tilesPerSide": 2}}"#)
    var precise = CountingConfiguration.precise
    precise.similarity = 0.9
    #expect(try home.configuration() == precise)
    precise.mergeIoU = 0.4
    #expect(try home.configuration("--merge-iou", "0.4") == precise, "the same method")
    var generous = CountingConfiguration.generous
    generous.similarity = 0.9
    #expect(try home.configuration("--set", "generous") == generous)
    var adaptive = CountingConfiguration.adaptive.suitedToBundledModels()
    adaptive.adaptive?.tilesPerSide = 2
    #expect(try home.configuration("--set", "adaptive") == adaptive)
    adaptive.adaptive?.targetSide = 40
    #expect(try home.configuration("--target-side", "40") == adaptive, "the other method")
    #expect(try home.configuration("--like", "1,2,3,4").adaptive?.tilesPerSide == 2)

    // Thresholds alone do not change the method: they wait.
    try home.write(#"{"similarity": 0.9}"#)
    #expect(try home.configuration() == .adaptive.suitedToBundledModels())
    var standard = CountingConfiguration.standard.suitedToBundledModels()
    standard.similarity = 0.9
    standard.mergeIoU = 0.4
    #expect(try home.configuration("--merge-iou", "0.4") == standard)
    try home.write(#"{"set": "adaptive", "similarity": 0.9}"#)
    #expect(try home.configuration("--merge-iou", "0.4") == standard)

    try home.write(#"{"adaptive": "off", "similarity": 0.9}"#)
    standard.mergeIoU = 0.5
    #expect(try home.configuration() == standard)
    try home.write(#"{"adaptive": {"tilesPerSide": 3}}"#)
    #expect(try home.configuration("--set", "standard") == .standard)
  }

  @Test("A count takes settings, an evaluation only those that it is given")
  func counts() async throws {
    let home = try SettingsHome()
    #expect(
      await home.settings("set", "set=standard", "aspect=2:3", "sizeSigma=off").code == .success)
    let run = await home.count("--json")
    #expect(try (run.json()["stages"] as? [String: Int])?["aspect"] == 0, "\(run)")
    let none = await home.count("--json", "--settings", "none", "--set", "standard")
    #expect(try none.json()["count"] as? Int == 12)
    // Whoever forgot them would take the result for the default's: people are told.
    let text = await home.count()
    let told = "tally: settings in force: set standard, sizeSigma off, aspect 2:3 (from "
    #expect(text.errors.hasPrefix(told) && text.errorLines.count == 1, "\(text)")
    #expect(await home.count("--settings", "none").errors.isEmpty)

    let folder = try TemporaryFolder()
    try folder.write("a.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    try folder.write("truth.json", text: #"{"a.png": {"main": 12, "all": 17}}"#)
    func accuracy(_ more: String...) async throws -> Bool {
      let run = await tally(
        ["evaluate", "counts", folder.url.path, "--json", "--set", "standard"] + Squares.models
          + more, environment: home.environment)
      #expect(run.code == .success, "\(run)")
      return run.output.contains("\"count\":12")
    }
    #expect(try await accuracy())
    #expect(try await !accuracy("--settings", home.path))
    #expect(try await accuracy("--settings", "none"))
  }

  @Test("A field that waits for another set is pointed out")
  func waiting() async throws {
    let home = try SettingsHome()
    let run = await home.settings("set", "similarity=0.9", "confidence=0.2")
    #expect(
      run.output == """
        similarity: 0.9
        confidence: 0.2
        similarity: looked at by the sets of bands, such as standard, which is not the one in force

        """)
    #expect(
      await home.settings("show").output.contains("settings, not in force"))
    #expect(await home.settings("set", "set=standard").output == "set: standard\n")
    #expect(!(await home.settings("show").output.contains("settings, not in force")))
  }

  @Test("What is shown")
  func show() async throws {
    let home = try SettingsHome()
    let none = await home.settings("show")
    #expect(none.code == .success && none.errors.isEmpty)
    #expect(none.outputLines[0] == "\(home.path): no settings")
    #expect(none.outputLines.count == 2 + SettingsField.all.count)
    #expect(none.outputLines[1].hasPrefix("  field "))
    let confidence = none.outputLines[3].split(separator: " ").joined(separator: " ")
    #expect(confidence == "confidence 0.3 set adaptive a number from 0.001 to 0.9")
    #expect(await home.settings("set", "confidence=0.2").code == .success)
    let one = await home.settings("show")
    #expect(one.outputLines[0] == "\(home.path): 1 field set")
    #expect(
      one.outputLines[3].split(separator: " ").joined(separator: " ")
        == "confidence 0.2 settings a number from 0.001 to 0.9")
    let json = try await home.settings("show", "--json").json()
    #expect(json["file"] as? String == home.path && json["exists"] as? Bool == true)
    #expect(json["set"] as? String == "adaptive")
    let fields = try #require(json["fields"] as? [[String: Any]])
    #expect(fields.count == SettingsField.all.count)
    #expect(fields[1]["value"] as? Double == 0.2 && fields[1]["inForce"] as? Bool == true)
    #expect(fields.last?["inForce"] as? Bool == false)
    #expect(
      fields[1]["expected"] as? String == "a number from 0.001 to 0.9"
        && fields[2]["from"] as? String == "set")
  }

  @Test(
    "What cannot be set is a usage error that names the field, and nothing is written",
    arguments: [
      (["confidense=0.2"], "no field 'confidense'; did you mean 'confidence'?"),
      (["tilesPerSide=2"], "did you mean 'adaptive.tilesPerSide'?"),
      (["tilesPerSied=2"], "did you mean 'adaptive.tilesPerSide'?"),
      (["nms=0.5"], "did you mean 'nmsIoU'?"), (["whole-only=true"], "keepsCutObjects"),
      (["aspect.range=1:2"], "did you mean 'aspect'?"), (["xyzzy=1"], "no field 'xyzzy' (see"),
      (["adaptive=off"], "name another, as set=standard"), (["=1"], "no field ''"),
      (["confidence"], "'confidence' has no value"),
      (["confidence="], "confidence is ''; it must be a number from 0.001 to 0.9"),
      (["confidence=7"], "confidence is '7'; it must be a number from 0.001 to 0.9"),
      (["confidence=nan"], "from 0.001 to 0.9"), (["confidence=high"], "from 0.001 to 0.9"),
      (["batchSize=0"], "a whole number from 1 to 1024"), (["batchSize=1.5"], "whole number"),
      (["adaptive.tilesPerSide=9"], "from 1 to 8"), (["adaptive.sizeFactor=1"], "from 1.01"),
      (["adaptive.keepsCutObjects=yes"], "true or false"), (["aspect=3:2"], "aspect is '3:2'"),
      (["sizeSigma=on"], "or off"), (["mergeFirst=size"], "main or score"),
      (["set=precis"], "did you mean 'precise'?"),
      (["confidence=0.2", "confidence=0.3"], "confidence is given more than once"),
      (["nmsIoU=0.5", "confidence=2"], "confidence is '2'"), ([], "no FIELD=VALUE is given"),
      (["confidence=0.2", "--settings", "none"], "must be the path of a file"),
    ])
  func badValues(arguments: [String], message: String) async throws {
    let home = try SettingsHome()
    let run = await tally(["settings", "set"] + arguments, environment: home.environment)
    #expect(run.failed(.usage), "\(run)")
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(!home.folder.has("tally"))
    try home.write(#"{"confidence": 0.25}"#)
    #expect(
      await tally(["settings", "set"] + arguments, environment: home.environment).failed(.usage))
    #expect(home.text == #"{"confidence": 0.25}"#)
    #expect(try home.folder.names(in: "tally") == ["settings.json"])
  }

  @Test("Fields that are unknown are not taken out either")
  func badReset() async throws {
    let home = try SettingsHome()
    #expect(await home.settings("reset", "confidense").failed(.usage))
    #expect(await home.settings("reset", "confidence", "xyzzy").failed(.usage))
    try home.write(#"{"confidence": 0.2, "adaptive": {"tilesPerSide": 2, "otherSizes": 1}}"#)
    #expect(await home.settings("reset", "confidense").failed(.usage))
    #expect(await home.settings("reset", "adaptive").output == "adaptive: taken out\n")
    #expect(home.text == "{\n  \"confidence\": 0.2\n}\n")
  }

  @Test("The place follows the option, then the XDG folder, then the home folder")
  func places() async throws {
    let folder = try TemporaryFolder()
    let (config, home) = (folder.path("config"), folder.path("home"))
    func place(_ environment: [String: String]) -> String? {
      SettingsFile.usual(environment: environment)?.path
    }
    #expect(place(["XDG_CONFIG_HOME": config, "HOME": home]) == "\(config)/tally/settings.json")
    #expect(place(["HOME": home]) == "\(home)/.config/tally/settings.json")
    #expect(place(["XDG_CONFIG_HOME": "", "HOME": home]) == "\(home)/.config/tally/settings.json")
    #expect(
      place(["XDG_CONFIG_HOME": "config", "HOME": home]) == "\(home)/.config/tally/settings.json")
    #expect(place(["HOME": "relative"]) == nil && place([:]) == nil && place(["HOME": ""]) == nil)
    #expect(
      await tally(["settings", "set", "confidence=0.2"], environment: ["HOME": home]).code
        == .success)
    #expect(folder.has("home/.config/tally/settings.json"))
    for words in [["show"], ["set", "confidence=0.2"], ["reset"]] {
      let nowhere = await tally(["settings"] + words, environment: [:])
      #expect(nowhere.failed(.usage) && nowhere.errors.contains("there is no place for settings"))
    }
    let path = folder.path("mine.json")
    #expect(await tally("settings", "set", "confidence=0.2", "--settings", path).code == .success)
    #expect(folder.has("mine.json"))
    // A count needs no place, and one that is named has to be there.
    #expect(await Squares.count(Squares.png).code == .success)
    let missing = await Squares.count(Squares.png, "--settings", folder.path("none.json"))
    #expect(missing.failed(.noInput))
  }
}
