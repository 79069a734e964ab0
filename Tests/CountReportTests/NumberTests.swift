import Counting
import Foundation
import Geometry
import Testing
import VisionProtocols

@testable import CountReport

@Suite("Numbers and words of the page")
struct NumberTests {
  /// The numbers written on boxes: the number, its font size, and its class.
  private func numbers(_ page: String) -> [(number: Int, size: Double, name: String)] {
    page.split(separator: "<text ").dropFirst().compactMap { part in
      let tag = part.prefix { $0 != ">" }
      func value(_ name: String) -> String? {
        tag.range(of: "\(name)=\"").map { String(tag[$0.upperBound...].prefix { $0 != "\"" }) }
      }
      guard let number = value("data-number").flatMap(Int.init),
        let size = value("font-size").flatMap(Double.init), let name = value("class")
      else { return nil }
      return (number, size, name)
    }
  }

  @Test("Every box has its number, which is that of the table and fits in the box")
  func boxes() throws {
    let page = try Examples.page(Examples.count(120, kinds: 3))
    let found = numbers(page)
    #expect(found.map(\.number).sorted() == Array(1...120))
    for (number, size, _) in found {
      #expect(size > 4 && size * (0.62 * Double("\(number)".count) + 0.4) <= 18.1)
      #expect(page.contains("href=\"#box-\(number)\""))
    }
    #expect(try numbers(Examples.page(Examples.count(0))).isEmpty)
    #expect(try #require(PageReader(page)).ids.contains("show-numbers"))
  }

  @Test("A corrected count keeps the numbers, and the legend has the corrected count")
  func corrected() throws {
    let count = try Examples.count(10, kinds: 2)
    let all = count.result.detections.map(\.detection.box)
    let correction = CountCorrection(
      of: count.result, removed: [all[0]],
      added: [Box(x: 400, y: 400, width: 30, height: 30), Box(x: 500, y: 5, width: 8, height: 9)])
    let corrected = try CorrectedCount(count.result, correctedBy: correction)
    // Of the kinds in turn, the main one has 1 to 5.
    #expect(corrected.objects.map(\.number) == [2, 3, 4, 5, 11, 12])
    #expect(CorrectedCount(count.result).objects.map(\.number) == [1, 2, 3, 4, 5])
    let page = try Examples.page(count, correction: correction)
    let found = numbers(page)
    #expect(found.map(\.number).sorted() == Array(1...12))
    #expect(found.filter { $0.name.contains("out") }.map(\.number) == [1])
    #expect(found.filter { $0.name.contains("more") }.map(\.number) == [11, 12])
    #expect(page.contains("Object 12, added by a person"))
    #expect(page.contains("main kind (<span id=\"main-count\">6</span>)"))
    #expect(page.contains("other kinds (<span>5</span>)"))
  }

  @Test(
    "The photo has its ratio, so that nothing dark is beside it",
    arguments: [(600, 800), (9, 4000)])
  func ratio(width: Int, height: Int) throws {
    let page = try Examples.page(Examples.count(0, width: width, height: height))
    let drawing = try #require(page.split(separator: "id=\"overlay\"").last?.prefix { $0 != ">" })
    func side(_ name: String) throws -> Double {
      let start = try #require(drawing.range(of: " \(name)=\"")).upperBound
      return try #require(Double(drawing[start...].prefix { $0 != "\"" }))
    }
    let ratio = try side("width") / side("height")
    #expect(abs(ratio / (Double(width) / Double(height)) - 1) < 0.01)
  }

  @Test("Steps have the words of the command, and kinds one name each")
  func words() throws {
    let page = try Examples.page(Examples.count(12, kinds: 2))
    for step in [CountingStep.detected, .size, .aspect, .area, .embedded, .merged] {
      let word = step.outcome.prefix(1).uppercased() + step.outcome.dropFirst()
      #expect(page.contains(">\(word) <"), "\(word)")
    }
    #expect(CountingStep.contained.outcome == "after containment")
    #expect(page.contains("clustering 0.00"))
    #expect(!page.contains(">cluster<") && !page.contains("grouping"))
    #expect(page.contains("kind 2"))
  }
}
