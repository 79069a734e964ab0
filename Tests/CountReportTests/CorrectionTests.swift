import Annotations
import Counting
import Foundation
import Geometry
import TestSupport
import Testing
import VisionProtocols

@testable import CountReport

@Suite("Corrections and labels")
struct CorrectionTests {
  private func boxes(_ count: CountingResult) -> [Box] { count.detections.map(\.detection.box) }

  @Test("What a person changed stands beside the machine's count")
  func applied() throws {
    let result = try Examples.count(10, kinds: 2).result
    let all = boxes(result)
    let correction = CountCorrection(
      of: result, removed: [all[0]],
      moved: [.init(from: all[2], to: Box(x: 300, y: 300, width: 30, height: 20))],
      added: [Box(x: 400, y: 400, width: 10, height: 10), Box(x: 500, y: 5, width: 8, height: 9)])
    let corrected = try CorrectedCount(result, correctedBy: correction)
    #expect(corrected.count == 6 && corrected.machine == result && result.count == 5)
    #expect(corrected.removedCount == 1)
    #expect(corrected.number(from: .person) == 2 && corrected.number(from: .moved) == 1)
    #expect(corrected.objects.map(\.origin).prefix(2) == [.moved, .machine])
    #expect(corrected.objects[0].machine?.detection.box == all[2])
    let page = try Examples.page(
      TracedCount(result: result, trace: CountTrace(detections: [])), correction: correction)
    let reader = try #require(PageReader(page))
    #expect(reader.classes["added"] == 2 && reader.classes["removed"] == 1)
    #expect(reader.classes["moved"] == 1)
    #expect(reader.texts["p"]?.contains("the machine counted 5") == true)
  }

  @Test("A correction as JSON is the same again, and boxes may be rounded as the page rounds")
  func json() throws {
    let result = try Examples.count(6).result
    let all = boxes(result)
    let correction = CountCorrection(
      of: result, removed: [all[1]], moved: [.init(from: all[3], to: all[0])], added: [all[5]])
    #expect(try CountCorrection(json: correction.json()) == correction)
    let rounded = CountCorrection(
      of: result,
      removed: [
        Box(
          minX: all[1].minX + 0.05, minY: all[1].minY - 0.05, maxX: all[1].maxX + 0.1,
          maxY: all[1].maxY)
      ])
    #expect(try CorrectedCount(result, correctedBy: rounded).count == 5)
  }

  @Test("A correction of another count or photo is refused, and so is one that takes a thing twice")
  func others() throws {
    let result = try Examples.count(6, kinds: 2).result
    let all = boxes(result)
    let far = Box(x: 700, y: 500, width: 9, height: 9)
    for removed in [[far], [all[0], all[0]], [all[1]]] {
      #expect(throws: CountCorrectionError.self) {
        try CorrectedCount(result, correctedBy: CountCorrection(of: result, removed: removed))
      }
    }
    var other = CountCorrection(of: result)
    other.width = 801
    let wrong = other
    #expect(
      throws: CountCorrectionError.photo(
        width: 801, height: 600, expectedWidth: 800, expectedHeight: 600)
    ) { try CorrectedCount(result, correctedBy: wrong) }
  }

  @Test(
    "What is no correction is an error in one line",
    arguments: [
      "", "{}", "[]", "null", "{\"tallyCorrection\": 2}",
      #"{"tallyCorrection":2,"width":1,"height":1,"count":0,"removed":[],"moved":[],"added":[]}"#,
      #"{"tallyCorrection":1,"width":0,"height":1,"count":0,"removed":[],"moved":[],"added":[]}"#,
      #"{"tallyCorrection":1,"width":1,"height":1,"count":-1,"removed":[],"moved":[],"added":[]}"#,
      #"{"tallyCorrection":1,"width":9,"height":9,"count":1,"removed":[[1]],"moved":[],"added":[]}"#,
      #"{"tallyCorrection":1,"width":9,"height":9,"count":1,"removed":[],"moved":[],"added":[[3,3,1,1]]}"#,
      #"{"tallyCorrection":1,"width":9,"height":9,"count":1,"removed":[],"moved":[],"added":[[0,0,1e9,1]]}"#,
      #"{"tallyCorrection":1,"width":9,"height":9,"count":1,"removed":"x","moved":[],"added":[]}"#,
      #"{"tallyCorrection":1e99,"width":9,"height":9,"count":1,"removed":[],"moved":[],"added":[]}"#,
    ])
  func damaged(json: String) throws {
    let error = #expect(throws: CountCorrectionError.self) {
      try CountCorrection(json: Data(json.utf8))
    }
    let text = try #require(error).description
    #expect(!text.contains("\n") && text.count > 20)
  }

  @Test("No cut and no flipped bit of a correction ends the process", arguments: 0..<40)
  func fuzz(seed: Int) throws {
    let result = try Examples.count(6).result
    var bytes = Array(
      try CountCorrection(of: result, removed: [boxes(result)[0]], added: [boxes(result)[1]]).json()
    )
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<3 {
      bytes[Int.random(in: bytes.indices, using: &generator)] ^=
        1 << UInt8.random(in: 0..<8, using: &generator)
    }
    if seed.isMultiple(of: 2) {
      bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
    }
    guard let correction = try? CountCorrection(json: Data(bytes)) else { return }
    let corrected = try? CorrectedCount(result, correctedBy: correction)
    #expect((corrected?.count ?? 0) <= 7)
  }

  @Test("Labels give the boxes back in all forms")
  func labels() throws {
    var generator = SeededGenerator(seed: 11)
    let count = try Examples.count(30, kinds: 2) { detection, _ in
      let (x, y) = (
        Float.random(in: -10...780, using: &generator),
        Float.random(in: -10...580, using: &generator)
      )
      detection.box = Box(
        x: x, y: y, width: Float.random(in: 12...60, using: &generator),
        height: Float.random(in: 12...60, using: &generator))
    }
    let corrected = CorrectedCount(count.result)
    let file = AnnotationSet(corrected, image: "a b.jpg", categories: ["coin"])
    #expect(file.photos[0].annotations.count == 15)
    let boxes = corrected.objects.map { object in
      [
        max(Double(object.box.minX), 0), max(Double(object.box.minY), 0),
        min(Double(object.box.maxX), 800), min(Double(object.box.maxY), 600),
      ]
    }
    let coco = try #require(
      JSONSerialization.jsonObject(with: file.write(as: .coco)) as? [String: [[String: Any]]])
    #expect(coco["images"]?.first?["file_name"] as? String == "a b.jpg")
    #expect(coco["categories"]?.first?["name"] as? String == "coin")
    let annotations = try #require(coco["annotations"])
    #expect(annotations.count == 15)
    for (annotation, box) in zip(annotations, boxes) {
      let numbers = try #require(annotation["bbox"] as? [Double])
      #expect(annotation["image_id"] as? Int == 1 && annotation["category_id"] as? Int == 1)
      let back = [
        numbers[0], numbers[1], numbers[0] + numbers[2], numbers[1] + numbers[3],
      ]
      #expect(zip(back, box).allSatisfy { abs($0 - $1) < 1e-9 })
    }
    let yolo = String(decoding: try file.write(as: .yolo), as: UTF8.self).split(separator: "\n")
    #expect(yolo.count == 15)
    for (line, box) in zip(yolo, boxes) {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      #expect(numbers.count == 5 && numbers[0] == 0)
      let (x, y) = (numbers[1] * 800, numbers[2] * 600)
      let (width, height) = (numbers[3] * 800, numbers[4] * 600)
      let back = [x - width / 2, y - height / 2, x + width / 2, y + height / 2]
      // Nine digits of a share are a millionth of a pixel.
      #expect(zip(back, box).allSatisfy { abs($0 - $1) < 1e-5 })
    }
    let csv = String(decoding: try file.write(as: .csv), as: UTF8.self).split(separator: "\n")
    #expect(csv.count == 16 && csv[0] == "image,category,left,top,right,bottom,score,origin")
    for (line, box) in zip(csv.dropFirst(), boxes) {
      let cells = line.split(separator: ",")
      #expect(
        zip(cells[2..<6].compactMap { Double($0) }, box).allSatisfy { abs($0 - $1) < 1e-4 })
      #expect(cells[0] == "a b.jpg" && cells[1] == "coin" && cells[7] == "machine")
    }
  }

  @Test("Labels leave out what has no pixel, and write no number that is none")
  func noPixels() throws {
    let count = try Examples.count(4) { detection, index in
      detection.score = .nan
      if index == 1 { detection.box = Box(x: 900, y: 0, width: 10, height: 10) }
      if index == 2 { detection.box.minX = .nan }
      if index == 3 { detection.box = Box(x: 10, y: 10, width: 0, height: 10) }
    }
    let file = AnnotationSet(CorrectedCount(count.result), image: "x")
    #expect(file.photos[0].annotations.count == 1)
    for format in AnnotationSet.Format.allCases {
      #expect(!String(decoding: try file.write(as: format), as: UTF8.self).contains("nan"))
    }
    let empty = AnnotationSet(CorrectedCount(try Examples.count(0).result), image: "x")
    #expect(try empty.write(as: .yolo).isEmpty)
    #expect(try JSONSerialization.jsonObject(with: empty.write(as: .coco)) is [String: Any])
  }
}
