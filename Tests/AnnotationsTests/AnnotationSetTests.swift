import Foundation
import Geometry
import TestSupport
import Testing

@testable import Annotations

@Suite("Boxes on photos, written and read")
struct AnnotationSetTests {
  /// Names that would be markup, formulas, escapes or ends of lines.
  static let names = [
    "a b.jpg", "=1+1.jpg", "./=1.jpg", "././-x", "a,\"b\"\r\n.jpg", "\\u{1b}x", "\\", "\\u{",
    "\\u{5c}u{",
    "\u{1B}[31m\u{9B}\u{202E}\u{2028}\u{E0041}é.jpg", "\u{301},\u{301}\"\u{301}", "\tx", "🐈‍⬛",
  ]

  private static func example(seed: UInt64) -> AnnotationSet {
    var generator = SeededGenerator(seed: seed)
    let categories = ["coin", "=a, \"b\"", "\u{202E}c"]
    let photos = names.map { name in
      AnnotatedPhoto(
        name: name, width: 800, height: 600,
        annotations: (0..<Int.random(in: 1...9, using: &generator)).map { place in
          let (x, y) = (
            Float.random(in: 0...700, using: &generator),
            Float.random(in: 0...500, using: &generator)
          )
          return Annotation(
            box: Box(
              x: x, y: y, width: .random(in: 0...100, using: &generator),
              height: .random(in: 0...100, using: &generator)),
            category: categories.randomElement(using: &generator),
            score: place.isMultiple(of: 2) ? .random(in: 0...1, using: &generator) : nil,
            origin: place.isMultiple(of: 3) ? "machine" : nil)
        })
    }
    return AnnotationSet(photos, categories: categories)
  }

  /// What a terminal acts on is in no file.
  private func expectPrintable(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    #expect(!text.unicodeScalars.contains { $0.isHidden && !"\t\r\n".unicodeScalars.contains($0) })
  }

  // MARK: Round trips

  @Test("COCO gives everything back", arguments: 0..<10)
  func coco(seed: Int) throws {
    var set = Self.example(seed: UInt64(seed))
    set.photos[0].annotations[0].isCrowd = true
    let data = try set.write(as: .coco)
    expectPrintable(data)
    let read = try AnnotationSet.read(coco: data)
    for place in set.photos.indices { set.photos[place].number = place + 1 }
    #expect(read == set)
    #expect(try read.write(as: .coco) == data)
    // Numbers of a file's own are kept.
    set.photos[1].number = 70
    set.categories[2].number = 90
    #expect(try AnnotationSet.read(coco: set.write(as: .coco)) == set)
  }

  @Test("A table gives all but the photos' sizes back", arguments: 0..<10)
  func csv(seed: Int) throws {
    var set = Self.example(seed: UInt64(seed))
    let data = try set.write(as: .csv)
    expectPrintable(data)
    for place in set.photos.indices {
      set.photos[place].width = nil
      set.photos[place].height = nil
    }
    let read = try AnnotationSet.read(csv: data)
    #expect(read.photos == set.photos)
    #expect(Set(read.categories.map(\.name)).isSubset(of: set.categories.map(\.name)))
    #expect(try read.write(as: .csv) == data)
    for (own, other) in zip(read.photos, set.photos) {
      #expect(own.name.utf8.elementsEqual(other.name.utf8))
    }
  }

  @Test(
    "YOLO's text gives boxes and classes back, and its description the names", arguments: 0..<10)
  func yolo(seed: Int) throws {
    let set = Self.example(seed: UInt64(seed))
    let names = try AnnotationSet.categories(ofYOLODescription: set.yoloDescription)
    #expect(names == set.categories.map(\.name))
    for photo in set.photos {
      let data = try AnnotationSet([photo], categories: names).write(as: .yolo)
      let read = try AnnotatedPhoto.read(
        yolo: data, name: photo.name, width: 800, height: 600, categories: names)
      #expect(read.annotations.map(\.category) == photo.annotations.map(\.category))
      for (own, other) in zip(read.annotations, photo.annotations) {
        // Nine digits of a share are a millionth of a pixel, and there is the rounding to 24 bits.
        let (a, b) = (own.box, other.box)
        let differences = [a.minX - b.minX, a.minY - b.minY, a.maxX - b.maxX, a.maxY - b.maxY]
        #expect(differences.allSatisfy { abs($0) < 1e-4 })
      }
    }
  }

  @Test("A byte order mark before YOLO's text is no part of it")
  func markedYOLO() throws {
    let text = "\u{FEFF}1 0.5 0.5 0.2 0.2\n0 0.5 0.5 0.2 0.2\n"
    let photo = try AnnotatedPhoto.read(
      yolo: Data(text.utf8), name: "a.jpg", width: 10, height: 10, categories: ["x", "y"])
    #expect(photo.annotations.map(\.category) == ["y", "x"])
    #expect(
      try AnnotationSet.categories(ofYOLODescription: "\u{FEFF}names:\n  0: x\n  1: y\n") == [
        "x", "y",
      ])
  }

  // MARK: What others write

  @Test("Tables of others: other columns, in another order, ends of lines of Windows")
  func otherTables() throws {
    let text =
      "\u{FEFF}right,left,bottom,top,image,note\r\n3,1,4,2,a.jpg,\"x\r\ny\"\r\n\r\n3,1,4,2,b.jpg,\r\n"
    let set = try AnnotationSet.read(csv: Data(text.utf8))
    #expect(set.photos.map(\.name) == ["a.jpg", "b.jpg"] && set.categories.isEmpty)
    #expect(set.photos[1].annotations == [Annotation(box: Box(minX: 1, minY: 2, maxX: 3, maxY: 4))])
  }

  @Test("Quotation marks within a name stay, and a carriage return alone ends a line")
  func marksInNames() throws {
    let text = "image,left,top,right,bottom\r6\" pipe.jpg,1,2,3,4\r\r\"a\"\"\rb\",1,2,3,4"
    let set = try AnnotationSet.read(csv: Data(text.utf8))
    #expect(set.photos.map(\.name) == ["6\" pipe.jpg", "a\"\rb"])
  }

  @Test("COCO's results know numbers alone")
  func results() throws {
    let text =
      #" [{"image_id":7,"category_id":2,"bbox":[1,2,2,2],"score":0.5,"segmentation":{"counts":"x"}}]"#
    let set = try AnnotationSet.read(coco: Data(text.utf8))
    #expect(set.photos.map(\.number) == [7] && set.photos.map(\.name) == ["7"])
    #expect(
      set.photos[0].annotations == [
        Annotation(box: Box(minX: 1, minY: 2, maxX: 3, maxY: 4), category: "2", score: 0.5)
      ])
  }

  @Test("Descriptions of YOLO's folders as others write them")
  func descriptions() throws {
    for text in ["nc: 2\nnames:\n  - a\n  - b c\n", "names:\n  0: a\n  1: \"b c\"\ntrain: x"] {
      #expect(try AnnotationSet.categories(ofYOLODescription: text) == ["a", "b c"])
    }
    for text in [
      "", "names:\n", "names: [a]", "names:\n  1: a", "names:\n  0: \"a", "name:\n  0: a",
    ] {
      #expect(throws: AnnotationError.self) {
        try AnnotationSet.categories(ofYOLODescription: text)
      }
    }
  }

  // MARK: Faults

  @Test(
    "Tables with faults are refused, with the line",
    arguments: [
      ("", "line 1 is a header without \"image\""), ("image,left\n", "without \"top\""),
      ("\n\nimage,left,top,right,bottom\n1,2\n", "line 4 has 2 fields"),
      ("image,left,top,right,bottom\na,1,2,x,4\n", "line 2 has \"x\" for right"),
      ("image,left,top,right,bottom\na,1,2,,4\n", "line 2 has \"\" for right"),
      ("image,left,top,right,bottom\na,1,2,nan,4\n", "line 2 has a number that is not finite"),
      ("image,left,top,right,bottom\na,3,2,1,4\n", "line 2 is [3.0"),
      ("image,left,top,right,bottom\n\"a,1,2,3,4\n", "line 2 has quotes that do not end"),
      ("image,left,top,right,bottom\n\na\0,1,2,3,4\n", "line 3 has a byte of 0"),
    ])
  func badTables(text: String, message: String) {
    let error = #expect(throws: AnnotationError.self) {
      try AnnotationSet.read(csv: Data(text.utf8))
    }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test("A table that is not UTF-8 is refused, with the line")
  func foreignBytes() {
    let data = Data("image,left,top,right,bottom\n".utf8) + [0xE9, 0x2C]
    let error = #expect(throws: AnnotationError.self) { try AnnotationSet.read(csv: data) }
    #expect(error?.description == "line 2 is not UTF-8")
  }

  @Test(
    "YOLO's texts with faults are refused",
    arguments: [
      "x 0.5 0.5 1 1", "0 0.5 0.5 1", "0 0.5 0.5 1 1 1 1", "0 0.5 0.5 -1 1", "0 nan 0.5 1 1",
      "0 1e999 0 0 0",
      "-1 0.5 0.5 1 1", "2 0.5 0.5 1 1", "0 0.5 0.5 1 1 nan", "0.0 0.5 0.5 1 1",
      "99999999999999999999 0 0 0 0",
    ])
  func badTexts(text: String) {
    #expect(throws: AnnotationError.self) {
      try AnnotatedPhoto.read(
        yolo: Data(text.utf8), name: "a", width: 8, height: 6, categories: ["a", "b"])
    }
  }

  @Test("What cannot be written is refused")
  func unwritable() throws {
    func set(_ annotation: Annotation, width: Int? = 8) -> AnnotationSet {
      AnnotationSet(
        [AnnotatedPhoto(name: "a", width: width, height: 6, annotations: [annotation])],
        categories: ["x"])
    }
    let box = Box(x: 0, y: 0, width: 1, height: 1)
    var broken = box
    broken.minX = .nan
    for format in AnnotationSet.Format.allCases {
      _ = try set(Annotation(box: box, category: "x")).write(as: format)
      for annotation in [
        Annotation(box: broken, category: "x"), Annotation(box: box, category: "x", score: .nan),
        Annotation(box: Box(minX: 2, minY: 0, maxX: 1, maxY: 1), category: "x"),
      ] {
        #expect(throws: AnnotationError.self) { try set(annotation).write(as: format) }
      }
    }
    let other = set(Annotation(box: box, category: "y"))
    #expect(throws: AnnotationError.self) { try other.write(as: .coco) }
    #expect(throws: AnnotationError.self) { try other.write(as: .yolo) }
    #expect(throws: AnnotationError.self) { try set(Annotation(box: box)).write(as: .yolo) }
    #expect(throws: AnnotationError.self) {
      try set(Annotation(box: box, category: "x"), width: nil).write(as: .yolo)
    }
    #expect(throws: AnnotationError.self) { try AnnotationSet([]).write(as: .yolo) }
    #expect(try AnnotationSet.read(coco: AnnotationSet([]).write(as: .coco)) == AnnotationSet([]))
    #expect(try AnnotationSet.read(csv: AnnotationSet([]).write(as: .csv)) == AnnotationSet([]))
  }

  @Test(
    "Documents with flipped bits are read or refused, and what is read is written",
    arguments: 0..<60)
  func hostile(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let set = Self.example(seed: 3)
    let names = set.categories.map(\.name)
    let photo = AnnotationSet([set.photos[0]], categories: names)
    for (format, data) in [
      (AnnotationSet.Format.coco, try set.write(as: .coco)), (.csv, try set.write(as: .csv)),
      (.yolo, try photo.write(as: .yolo)),
    ] {
      var bytes = Array(data)
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &generator)] ^=
          1 << UInt8.random(in: 0..<8, using: &generator)
      }
      bytes.removeLast(
        seed.isMultiple(of: 3) ? Int.random(in: 1..<bytes.count, using: &generator) : 0)
      do throws(AnnotationError) {
        switch format {
        case .coco: _ = try AnnotationSet.read(coco: Data(bytes))
        case .csv:
          let read = try AnnotationSet.read(csv: Data(bytes))
          let again = try AnnotationSet.read(csv: read.write(as: .csv))
          #expect(again == read)
        case .yolo:
          _ = try AnnotatedPhoto.read(
            yolo: Data(bytes), name: "a", width: 800, height: 600, categories: names)
        }
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test("A long run of what looks like escapes or paths takes no long time and no deep stack")
  func long() throws {
    for piece in ["./", "\\u{", "\"\"\""] {
      let name = String(repeating: piece, count: 200_000) + "="
      let set = AnnotationSet([
        AnnotatedPhoto(
          name: name, annotations: [Annotation(box: Box(x: 0, y: 0, width: 1, height: 1))])
      ])
      #expect(try AnnotationSet.read(csv: set.write(as: .csv)) == set)
    }
  }

  @Test("COCO has the outline of an object, and its area")
  func outlines() throws {
    let triangle = [Point(x: 1, y: 1), Point(x: 5, y: 1), Point(x: 1, y: 4)]
    let box = Box(minX: 1, minY: 1, maxX: 5, maxY: 4)
    let set = AnnotationSet(
      [
        AnnotatedPhoto(
          name: "a.jpg", width: 8, height: 8,
          annotations: [
            Annotation(box: box, category: "a", outline: triangle),
            Annotation(box: box, category: "a"),
          ])
      ], categories: ["a"])
    struct Row: Decodable {
      let area: Double
      let segmentation: [[Double]]
    }
    struct Document: Decodable {
      let annotations: [Row]
    }
    let rows = try JSONDecoder().decode(Document.self, from: set.write(as: .coco)).annotations
    #expect(rows[0].area == 6 && rows[0].segmentation == [[1, 1, 5, 1, 1, 4]])
    #expect(rows[1].area == 12 && rows[1].segmentation == [[1, 1, 5, 1, 5, 4, 1, 4]])
    var wrong = set
    wrong.photos[0].annotations[0].outline = [Point(x: .nan, y: 0)]
    #expect(throws: AnnotationError.self) { try wrong.write(as: .coco) }
  }
}
