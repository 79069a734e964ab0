import Counting
import Foundation
import Geometry
import ModelStore
import Raster
import Stats
import TestSupport
import Testing
import VisionProtocols

@testable import CountReport

@Suite("Page of a count")
struct CountPageTests {
  /// Fails unless a page is well-formed, its ids are unique, and it asks for nothing from elsewhere.
  private func read(
    _ page: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PageReader {
    let reader = try #require(
      PageReader(page), "not well-formed", sourceLocation: sourceLocation)
    #expect(Set(reader.ids).count == reader.ids.count, sourceLocation: sourceLocation)
    let ids = Set(reader.ids)
    for address in reader.addresses {
      #expect(
        address.hasPrefix("data:image/jpeg;base64,")
          || address.hasPrefix("#") && ids.contains(String(address.dropFirst())),
        "\(address.prefix(80))", sourceLocation: sourceLocation)
    }
    // What a style or handler in an attribute does, the policy forbids.
    #expect(
      !reader.attributes.contains { $0 == "style" || $0.hasPrefix("on") },
      sourceLocation: sourceLocation)
    return reader
  }

  @Test(
    "A page of any number of objects is well-formed and shows them all",
    arguments: [(0, 0), (1, 0), (2, 1), (3, 0), (40, 12), (1000, 500)])
  func counts(count: Int, dropped: Int) throws {
    let page = try Examples.page(
      Examples.count(count, kinds: min(3, max(count, 1)), dropped: dropped))
    let reader = try read(page)
    let boxes = reader.ids.filter { $0.hasPrefix("box-") }
    #expect(boxes.count == count)
    // One of each class is in the legend.
    #expect(reader.classes["drop", default: 0] == (dropped > 0 ? dropped + 1 : 0))
    #expect(reader.elements["h1"] == 1 && reader.elements["main"] == 1)
    let main = (count + 2) / 3 * (count > 2 ? 1 : 0) + (count < 3 ? min(count, 1) : 0)
    #expect(reader.texts["span"]?.contains("\(main)") == true)
    #expect(reader.ids.contains("map") == (count >= 3))
    #expect((reader.texts["p"] ?? "").contains("No objects were found") == (count == 0))
    #expect(page.utf8.count < 3_000_000)
  }

  @Test(
    "A hostile name is text and nothing else",
    arguments: [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg/onload=alert(1)>",
      "</title><script>1</script>", "]]><!--", "a&b;&lt;&#60;", "\u{0}\u{1}\u{1B}[31m\n\r\t\u{7F}",
      "\u{202E}gpj.exe\u{202C}", "\u{2066}x\u{2069}\u{200F}\u{FEFF}\u{2028}", "\u{FFFE}\u{FFFF}",
      "javascript:alert(1)", "", String(repeating: "\u{1F600}e\u{301}", count: 500),
    ])
  func hostileNames(name: String) throws {
    let plain = try read(Examples.page(Examples.count(4)))
    let page = try Examples.page(Examples.count(4), name: name)
    let reader = try read(page)
    #expect(reader.elements == plain.elements)
    #expect(reader.attributes == plain.attributes)
    #expect(page.components(separatedBy: "<script>").count == 2)
    let hidden = page.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
        || (0x200B...0x200F).contains($0.value) || (0x2028...0x202E).contains($0.value)
        || (0x2060...0x206F).contains($0.value) || $0.value == 0xFEFF
    }
    #expect(hidden.isEmpty, "\(hidden)")
    if name.hasPrefix("<script>") { #expect(reader.texts["bdi"] == name) }
    if name.hasPrefix("\u{202E}") { #expect(reader.texts["bdi"] == "\\u{202e}gpj.exe\\u{202c}") }
  }

  @Test("Scores and boxes that are no numbers leave a page that can be read")
  func notNumbers() throws {
    let bad: [Float] = [
      .nan, .infinity, -.infinity, 0, -1, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    let scores = try Examples.count(40, dropped: 3) { $0.score = bad[$1 % bad.count] }
    let reader = try read(Examples.page(scores))
    #expect(reader.ids.filter { $0.hasPrefix("box-") }.count == 40)
    #expect(reader.texts["td"]?.contains("not a number") == true)

    let boxes = try Examples.count(49) { detection, index in
      detection.box = Box(
        minX: bad[index % 7], minY: bad[index / 7 % 7], maxX: bad[(index + 3) % 7],
        maxY: bad[(index / 7 + 2) % 7])
    }
    for configuration in [CountingConfiguration.standard, .adaptive, .generous] {
      let page = try Examples.page(boxes, configuration: configuration)
      let drawn = try read(page).ids.filter { $0.hasPrefix("box-") }.count
      #expect(drawn == boxes.result.detections.count { $0.detection.box.isFinite })
      #expect(drawn < 49)
    }
  }

  @Test("Embeddings that are all alike, or no numbers, give a page")
  func oddEmbeddings() throws {
    let count = try Examples.count(5)
    for value in [Float(1), .nan, .infinity] {
      let rows = try EmbeddingMatrix(values: [Float](repeating: value, count: 20), dimension: 4)
      let trace = CountTrace(
        detections: count.trace.detections, embedded: count.trace.embedded, embeddings: rows)
      let reader = try read(Examples.page(TracedCount(result: count.result, trace: trace)))
      #expect(reader.ids.contains("map") == value.isFinite)
    }
    let without = TracedCount(result: count.result, trace: CountTrace(detections: []))
    #expect(try !read(Examples.page(without)).ids.contains("map"))
  }

  @Test("A photo of 12 megapixels full of noise makes a page below 3 MB")
  func largePhoto() throws {
    var generator = SeededGenerator(seed: 3)
    let (width, height) = (4000, 3000)
    var samples = [UInt8]()
    samples.reserveCapacity(width * height)
    while samples.count < width * height {
      withUnsafeBytes(of: generator.next()) { samples.append(contentsOf: $0) }
    }
    let photo = try Raster(width: width, height: height, channels: 1, samples: samples)
    let count = try Examples.count(300, kinds: 2, dropped: 100, width: width, height: height)
    var page = CountPage(name: "noise", count: count, configuration: .standard)
    let html = try page.html(photo: photo)
    #expect(html.count < 3_000_000 && html.count > 1_000_000)
    page.maximumBytes = 400_000
    #expect(try page.html(photo: photo).count <= 400_000)
    page.maximumBytes = 60_000
    let small = page
    #expect(throws: CountPageError.self) { try small.html(photo: photo) }
  }

  @Test("A photo of another size than was counted in is refused")
  func otherPhoto() throws {
    let page = CountPage(
      name: "x", count: try Examples.count(3), configuration: .standard)
    let photo = try Examples.photo(width: 600, height: 800)
    #expect(
      throws: CountPageError.photo(
        width: 600, height: 800, expectedWidth: 800, expectedHeight: 600)
    ) { try page.html(photo: photo) }
  }

  @Test("Photos of every number of channels, and of one pixel", arguments: 1...4)
  func channels(channels: Int) throws {
    let count = try Examples.count(3, width: 1, height: 1)
    let page = CountPage(name: "x", count: count, configuration: .standard)
    let photo = try Examples.photo(width: 1, height: 1, channels: channels)
    _ = try read(String(decoding: page.html(photo: photo), as: UTF8.self))
  }

  @Test("The policy has the digests of the style and the script that the page has")
  func policy() throws {
    let page = try Examples.page(Examples.count(1))
    func digest(_ element: String) throws -> String {
      let start = try #require(page.range(of: "<\(element)>"))
      let end = try #require(page.range(of: "</\(element)>"))
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tally-page-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(page[start.upperBound..<end.lowerBound].utf8).write(to: file)
      return Data(try SHA256Digest(contentsOf: file).bytes).base64EncodedString()
    }
    #expect(try digest("style") == ContentPolicy.styleDigest)
    #expect(try digest("script") == ContentPolicy.scriptDigest)
    // Quotes are written as references in an attribute.
    #expect(page.contains("script-src &#39;sha256-\(ContentPolicy.scriptDigest)&#39;"))
    #expect(!page.contains("connect-src"))
    #expect(page.contains("default-src &#39;none&#39;"))
  }

  @Test("A page that a server shows may run one more script, and ask that server")
  func served() throws {
    let count = try Examples.count(1)
    var page = CountPage(name: "x", count: count, configuration: .standard)
    let photo = try Examples.photo(width: count.result.width, height: count.result.height)
    let alone = String(decoding: try page.html(photo: photo), as: UTF8.self)
    page.isServed = true
    let served = String(decoding: try page.html(photo: photo), as: UTF8.self)
    let folder = try TemporaryFolder()
    let script = try folder.write("served.js", text: StaticSource.servedScript.text)
    let digest = Data(try SHA256Digest(contentsOf: URL(fileURLWithPath: script)).bytes)
    #expect(digest.base64EncodedString() == ContentPolicy.servedScriptDigest)
    #expect(served.contains("sha256-\(ContentPolicy.servedScriptDigest)&#39;; connect-src"))
    #expect(served.contains(StaticSource.servedScript.text))
    #expect(!alone.contains(StaticSource.servedScript.text) && !alone.contains("connect-src"))
  }

  @Test("More boxes than are drawn, and more objects than have rows, are told")
  func many() throws {
    let count = PhotoSection.mostBoxes + 5
    let page = try Examples.page(Examples.count(count, kinds: 5))
    let reader = try read(page)
    #expect(reader.ids.filter { $0.hasPrefix("box-") }.count == PhotoSection.mostBoxes)
    #expect(reader.texts["p"]?.contains("5 boxes are not drawn") == true)
    #expect(
      reader.texts["caption"]?.contains("\(count - CountPage.mostRows) more are not listed")
        == true)
    #expect(page.utf8.count < 3_000_000)
  }

  @Test("A page of many kinds has a mark for each of the first and one for all others")
  func manyKinds() throws {
    let reader = try read(Examples.page(Examples.count(60, kinds: 20)))
    for rank in 0...Kinds.last { #expect(reader.classes["k\(rank)", default: 0] > 0) }
    #expect(reader.classes["k\(Kinds.last + 1)"] == nil)
  }
}

@Suite("Axes of a plot")
struct PlotScaleTests {
  @Test("Ticks lie on the axis, ascend, and keep their distance", arguments: 0..<60)
  func ticks(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let base = exp(Double.random(in: -20...20, using: &generator))
    let values = (0..<5).map { _ in base * exp(Double.random(in: 0...9, using: &generator)) }
    let scale = try #require(LogScale(holding: values, length: 300))
    let ticks = scale.ticks(apart: 48)
    let places = try ticks.map { try #require(scale.place(of: $0)) }
    #expect(ticks.count >= 2, "\(values)")
    #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= 48 - 1e-9 })
    #expect(places.allSatisfy { (0...300).contains($0) })
    #expect(values.allSatisfy { $0 > scale.low && $0 < scale.high })
  }

  @Test("One value has an axis; none, and none above 0, have not")
  func few() throws {
    let one = try #require(LogScale(holding: [5], length: 100))
    #expect(abs(try #require(one.place(of: 5)) - 50) < 1e-9)
    #expect(one.place(of: .nan) == nil)
    #expect(one.place(of: -3) == 0 && one.place(of: .infinity) == 100)
    #expect(LogScale(holding: [], length: 100) == nil)
    #expect(LogScale(holding: [0, -1, .nan, .infinity], length: 100) == nil)
  }

  @Test(
    "Numbers for people",
    arguments: [
      (0, "0"), (0.0012345, "0.00123"), (0.5, "0.5"), (12.0, "12"), (1234, "1234"),
      (12345, "12\u{202F}345"), (-3.25, "\u{2212}3.25"), (1e20, "1e+20"), (.nan, "not a number"),
      (-.infinity, "infinite"),
    ] as [(Double, String)])
  func numbers(value: Double, text: String) {
    #expect(Number.short(value) == text)
  }
}
