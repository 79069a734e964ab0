import CountTemplates
import Counting
import Foundation
import Testing

/// What an app relies on, whatever keeps its templates (P17).
@Suite("Stores of templates")
struct TemplateStoreTests {
  @Test("a folder and memory keep, refuse and remove the same", arguments: [true, false])
  func contract(isFolder: Bool) async throws {
    let scratch = TemplateFolderTests.Scratch()
    let store: any TemplateStore = isFolder ? scratch.folder : MemoryTemplates()
    #expect(try await store.names() == [])
    var sweets = StoredTemplate.sample
    try await store.add(sweets, replacing: false)
    #expect(try await store.template("sweets") == sweets)
    var cups = sweets
    cups.name = "cups"
    try await store.add(cups, replacing: false)
    #expect(try await store.names() == ["cups", "sweets"])

    sweets.objects = 7
    await #expect(throws: TemplateError.self) { try await store.add(sweets, replacing: false) }
    #expect(try await store.template("sweets").objects == 24)
    try await store.add(sweets, replacing: true)
    #expect(try await store.template("sweets").objects == 7)
    // Times are kept to the second.
    sweets.created.addTimeInterval(0.25)
    try await store.add(sweets, replacing: true)
    #expect(try await store.template("sweets").created == StoredTemplate.sample.created)

    sweets.objects = 0
    await #expect(throws: TemplateError.self) { try await store.add(sweets, replacing: true) }
    sweets.name = "../sweets"
    await #expect(throws: TemplateError.invalidName("../sweets")) {
      try await store.add(sweets, replacing: true)
    }
    try await store.remove("sweets")
    await #expect(throws: TemplateError.self) { try await store.template("sweets") }
    await #expect(throws: TemplateError.self) { try await store.remove("sweets") }
    #expect(try await store.names() == ["cups"])
  }
}
