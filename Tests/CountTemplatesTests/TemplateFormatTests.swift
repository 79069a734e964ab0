import CountTemplates
import Counting
import Foundation
import Testing

@Suite("The format of templates")
struct TemplateFormatTests {
  /// The sample's file with one text in another's place.
  private func file(_ old: String, _ new: String) throws -> Data {
    let text = String(decoding: try StoredTemplate.sample.json(), as: UTF8.self)
    #expect(text.contains(old))
    return Data(text.replacing(old, with: new, maxReplacements: 1).utf8)
  }

  @Test(
    "What makes no sense is an error that says what",
    arguments: [
      ("\"tallyTemplate\": 1", "\"tallyTemplate\": 2", "version 2"),
      ("\"tallyTemplate\": 1", "\"tallyTemplate\": 0", "it must be 1"),
      ("\"tallyTemplate\": 1", "\"tallyTemplate\": \"1\"", "'tallyTemplate' is of the wrong kind"),
      ("\"tallyTemplate\": 1,", "", "JSON of something else"),
      ("\"objects\": 24,", "", "the field 'objects' is missing"),
      ("\"objects\": 24", "\"objects\": 0", "objects is 0"),
      ("\"objects\": 24", "\"objects\": 2.5", "JSON of something else"),
      ("\"sweets\"", "\"../sweets\"", "name is '../sweets'"),
      ("\"sweets\"", "7", "'name' is of the wrong kind"),
      ("2026-11-22T22:47:34Z", "yesterday", "created is 'yesterday'"),
      ("\"side\": 0.125", "\"side\": 0", "side is 0.0"),
      ("\"side\": 0.125", "\"side\": NaN", "it is not JSON"),
      ("\"side\": 0.125", "\"side\": 1e999", "it is not JSON"),
      ("\"aspect\": 1.5", "\"aspect\": -1", "aspect is -1.0"),
      ("[0.6, 0.8]", "[0.6, 0.8, 0]", "like[1] has 3 values; like[0] has 2"),
      ("[0.6, 0.8]", "[0.6]", "like[1] has 1 values; like[0] has 2"),
      ("[0.6, 0.8]", "[0.6, 0.6]", "like[1] is not a direction: its length is 0.849"),
      ("[0.6, 0.8]", "[0, 0]", "like[1] is not a direction: its length is 0.0"),
      ("[0.6, 0.8]", "[0.6, NaN]", "it is not JSON"),
      ("[0.6, 0.8]", "[0.6, null]", "'like[1][1]' is of the wrong kind"),
      ("[0.6, 0.8]", "[0.6, 1e40]", "JSON of something else"),
      ("[1.0, 0.0]", "[]", "like[0] has 0 values"),
      ("\"unlike\": []", "\"unlike\": [[1]]", "unlike[0] has 1 values; like[0] has 2"),
      ("\"unlike\": []", "\"unlike\": 3", "'unlike' is of the wrong kind"),
      ("\"detector\": \"0", "\"detector\": \"g", "models.detector must be a SHA-256"),
      ("\"embedder\": \"0", "\"embedder\": \"", "models.embedder must be a SHA-256"),
    ])
  func faults(old: String, new: String, message: String) throws {
    let data = try file(old, new)
    do {
      _ = try StoredTemplate(json: data)
      Issue.record("read: \(new)")
    } catch {
      #expect(error.description.contains(message), "\(error.description)")
    }
  }

  @Test("A file without rows, an empty one, another object and deep nesting are no templates")
  func others() throws {
    let empty = try file("[\n    [1.0, 0.0],\n    [0.6, 0.8]\n  ]", "[]")
    let texts = ["", "[]", "{}", "3", "null", String(repeating: "[", count: 100_000)]
    for data in texts.map({ Data($0.utf8) }) + [empty, Data([0xFF, 0, 1])] {
      #expect(throws: TemplateError.self) { try StoredTemplate(json: data) }
    }
  }

  @Test("What would not be read is not written")
  func unwritten() throws {
    var stored = StoredTemplate.sample
    stored.template.like[0][0] = .nan
    #expect(throws: TemplateError.self) { try stored.json() }
    stored = .sample
    stored.template.side = .infinity
    #expect(throws: TemplateError.self) { try stored.json() }
    stored = .sample
    stored.name = "a/b"
    #expect(throws: TemplateError.self) { try stored.json() }
    stored = .sample
    stored.template.like = []
    #expect(throws: TemplateError.self) { try stored.json() }
  }

  @Test("Fields that are not known are passed over")
  func unknown() throws {
    let data = try file("\"objects\": 24", "\"objects\": 24, \"note\": {\"by\": [1]}")
    #expect(try StoredTemplate(json: data) == .sample)
  }
}
