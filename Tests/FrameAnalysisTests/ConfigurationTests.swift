import Foundation
import FrameAnalysis
import Testing
import Tracking

@Suite("Configuration of frames")
struct ConfigurationTests {
  private func decoded(_ json: String) throws -> FrameConfiguration {
    try JSONDecoder().decode(FrameConfiguration.self, from: Data(json.utf8))
  }

  private func message(_ json: String) -> String? {
    do {
      _ = try decoded(json)
      return nil
    } catch let error as FrameConfigurationError {
      return error.description
    } catch {
      return "another error: \(error)"
    }
  }

  @Test("The defaults are those of the specification")
  func defaults() {
    let defaults = FrameConfiguration()
    #expect(defaults.minimumTextConfidence == 0.5)
    #expect(defaults.priority == .objectsFirst)
    #expect(defaults.minimumTextCoverage == 0.05)
    #expect(defaults.maximumShift == 0.1)
    #expect(defaults.stabilityResults == 5)
    #expect(defaults.sureObjectConfidence == 0.9)
    #expect(defaults.framesToChange == 2)
    #expect(defaults.messageLifetime == .milliseconds(3000))
    #expect(defaults.feedbackSpacing == .milliseconds(2000))
    #expect(defaults.nominalInterval == .milliseconds(150))
    #expect(defaults.fairInterval == .milliseconds(250))
    #expect(defaults.seriousInterval == .milliseconds(500))
    #expect(defaults.idleInterval == .milliseconds(500))
    #expect(defaults.idleAfter == .milliseconds(3000))
    #expect(defaults.staleAfter == .milliseconds(10_000))
    #expect(defaults.smoothing == .milliseconds(100))
    #expect(defaults.redrawShift == 0.002 && defaults.redrawConfidence == 0.02)
    #expect(defaults.maximumReadings == 3 && defaults.readingGrowth == 1.25)
    #expect(defaults.sureReadingConfidence == 0.9)
  }

  @Test("JSON names what to change, and everything survives being stored")
  func coding() throws {
    #expect(try decoded("{}") == FrameConfiguration())
    let changed = try decoded(
      """
      {"nominalInterval": 0.1, "priority": ["isbn", "text", "object"],
      "tracking": {"maximumMisses": 8}, "spineText": {"minimumLetters": 3}, "framesToChange": 3,
      "staleAfter": 5, "smoothing": 0, "redrawShift": 0.01, "redrawConfidence": 0.1,
      "maximumReadings": 5, "sureReadingConfidence": 0.8, "readingGrowth": 2}
      """)
    #expect(changed.maximumReadings == 5 && changed.readingGrowth == 2)
    #expect(changed.sureReadingConfidence == 0.8)
    #expect(changed.staleAfter == .milliseconds(5000) && changed.smoothing == .zero)
    #expect(changed.redrawShift == 0.01 && changed.redrawConfidence == 0.1)
    #expect(changed.nominalInterval == .milliseconds(100))
    #expect(changed.priority == .textFirst)
    #expect(changed.tracking.maximumMisses == 8 && changed.tracking.minimumIoU == 0.3)
    #expect(changed.spineText.minimumLetters == 3 && changed.framesToChange == 3)
    let data = try JSONEncoder().encode(changed)
    #expect(try JSONDecoder().decode(FrameConfiguration.self, from: data) == changed)
  }

  @Test(
    "An error names the field, the value and the range",
    arguments: [
      (#"{"maximumShift": 1.5}"#, "maximumShift is 1.5; it must be in 0.0...1.0"),
      (#"{"stabilityResults": 1}"#, "stabilityResults is 1.0; it must be in 2.0...100.0"),
      (#"{"maximumReadings": 0}"#, "maximumReadings is 0.0; it must be in 1.0...100.0"),
      (#"{"readingGrowth": 0.5}"#, "readingGrowth is 0.5; it must be in 1.0...100.0"),
      (#"{"idleAfter": -1}"#, "idleAfter is -1.0; it must be in 0.0...3600.0"),
      (#"{"staleAfter": 0}"#, "staleAfter is 0.0; it must be in 1.0...3600.0"),
      (#"{"smoothing": "no"}"#, "smoothing must be a number of seconds"),
      (
        #"{"tracking": {"minimumIoU": 0}}"#,
        "tracking.minimumIoU is 0.0; it must be in 2.2250738585072014e-308...1.0"
      ),
      (
        #"{"spineText": {"maximumAngle": 90}}"#,
        "spineText.maximumAngle is 90.0; it must be in 0.0...45.0"
      ),
      (#"{"framesToChange": 2.5}"#, "framesToChange must be a whole number"),
      (#"{"messageLifetime": "3 s"}"#, "messageLifetime must be a number of seconds"),
      (#"{"messageLifetime": 1e300}"#, "messageLifetime must be a number of seconds"),
      (
        #"{"priority": ["isbn", "cat"]}"#,
        #"priority must be an array of "isbn", "barcode", "object", "text""#
      ),
      (
        #"{"priority": ["text", "text"]}"#,
        "priority names text twice; each kind may stand in it once"
      ),
      (#"{"tracking": 5}"#, "tracking must be an object"),
      (#"{"tracking": {"maximumMisses": "x"}}"#, "tracking.maximumMisses must be a whole number"),
      (#"[]"#, "the configuration must be an object"),
    ])
  func errors(json: String, expected: String) {
    #expect(message(json) == expected)
  }

  @Test("An unknown field is a slip of the pen")
  func unknownFields() {
    #expect(
      message(#"{"framesToChang": 2}"#)?
        .hasPrefix("the configuration has an unknown field \"framesToChang\"; known are ") == true)
    #expect(
      message(#"{"tracking": {"minimumIou": 0.2}}"#)?
        .hasPrefix("the configuration has an unknown field \"tracking.minimumIou\"") == true)
  }

  @Test("Every value has a range, and a NaN is in none")
  func ranges() {
    let changes: [(inout FrameConfiguration) -> Void] = [
      { $0.minimumTextConfidence = .nan }, { $0.minimumTextCoverage = -0.1 },
      { $0.maximumShift = .infinity }, { $0.sureObjectConfidence = 1.01 },
      { $0.framesToChange = 101 }, { $0.messageLifetime = .milliseconds(3_600_001) },
      { $0.feedbackSpacing = .milliseconds(-1) }, { $0.nominalInterval = .milliseconds(-1) },
      { $0.fairInterval = FrameDuration(nanoseconds: .min) },
      { $0.seriousInterval = FrameDuration(nanoseconds: .max) },
      { $0.idleInterval = .milliseconds(-1) }, { $0.spineText.minimumLetters = 0 },
      { $0.spineText.minimumWordShare = 2 }, { $0.spineText.minimumShare = .nan },
      { $0.spineText.minimumElongation = 0 }, { $0.tracking.confirmingHits = 0 },
    ]
    for change in changes {
      var configuration = FrameConfiguration()
      change(&configuration)
      #expect(throws: FrameConfigurationError.self) {
        try FrameSession(configuration: configuration)
      }
    }
  }
}
