import Counting
import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing
import VisionProtocols

@testable import CountCommands

@Suite("Pictures of a count")
struct DrawingOptionTests {
  private func image(_ path: String) throws -> Raster {
    try ImageFile.load(contentsOf: URL(fileURLWithPath: path))
  }

  private func pixel(_ image: Raster, _ x: Int, _ y: Int) -> [Int] {
    (0..<3).map { Int(image[x: x, y: y, channel: $0]) }
  }

  @Test("The overlay is the photo with green boxes for the main kind and blue ones for others")
  func overlay() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("o.png")
    let run = await Squares.count(Squares.png, "--overlay", path, "--overlay-scale", "1")
    #expect(run.code == .success && run.errors.isEmpty)
    let drawn = try image(path)
    let photo = try image(Squares.png)
    #expect(drawn.width == photo.width && drawn.height == photo.height)
    let main = pixel(drawn, 16, 20)
    #expect(main[1] > main[0] && main[1] > main[2], "green: \(main)")
    // Of dashes, so not every pixel of the frame is.
    let others = (16..<24).map { pixel(drawn, $0, 92) }
    #expect(others.contains { $0[2] > $0[0] + 40 && $0[2] > $0[1] + 40 }, "blue: \(others)")
    #expect(pixel(drawn, 20, 20) == pixel(photo, 20, 20))
    #expect(pixel(drawn, 4, 4) == pixel(photo, 4, 4))
  }

  @Test("The format is that of the name", arguments: ["png", "jpg", "JPEG", "svg", "pdf"])
  func formats(ending: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("o.\(ending)")
    #expect(await Squares.count(Squares.png, "--overlay", path).code == .success)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    switch ending {
    case "svg":
      #expect(String(decoding: data, as: UTF8.self).contains("<svg"))
    case "pdf": #expect(data.prefix(5) == Data("%PDF-".utf8))
    case "png": #expect(data.prefix(4) == Data([0x89] + "PNG".utf8))
    default: #expect(data.prefix(2) == Data([0xFF, 0xD8]))
    }
  }

  @Test("Several photos go to a folder or by a pattern")
  func several() async throws {
    let folder = try TemporaryFolder()
    for name in ["a.png", "b.png"] {
      try folder.write(name, Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    }
    let run = await Squares.count(
      folder.path("a.png"), folder.path("b.png"), "--overlay", folder.path("out") + "/",
      "--thumbnail", folder.path("small/{name}-200.jpg"))
    #expect(run.code == .success, "\(run)")
    #expect(try folder.names(in: "out") == ["a.png", "b.png"])
    #expect(try folder.names(in: "small") == ["a-200.jpg", "b-200.jpg"])
  }

  @Test("Where a file could go to two places, nothing is done")
  func ambiguous() async throws {
    let folder = try TemporaryFolder()
    let out = folder.path("o.png")
    #expect(await Squares.count(Squares.png, Squares.jpeg, "--overlay", out).failed(.usage))
    #expect(
      await Squares.count(Squares.png, Squares.jpeg, "--overlay", folder.path("")).failed(.usage))
    #expect(
      await Squares.count(
        Squares.png, "--overlay", folder.path("o.jpg"), "--thumbnail", folder.path("o.jpg")
      ).failed(.usage))
    #expect(try folder.names().isEmpty)
    let copy = try folder.write("p.png", Data(contentsOf: URL(fileURLWithPath: Squares.png)))
    #expect(await Squares.count(copy, "--overlay", copy).failed(.usage))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: copy))
        == Data(contentsOf: URL(fileURLWithPath: Squares.png)))
  }

  @Test(
    "A picture that cannot be written is an I/O error, after the result",
    arguments: ["png", "svg", "pdf"])
  func unwritable(ending: String) async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("o.\(ending)/x"), withIntermediateDirectories: true)
    let run = await Squares.count(
      Squares.png, "--json", "--overlay", folder.path("{name}/../o.\(ending)"))
    #expect(run.code == .inputOutput, "\(run)")
    #expect(run.errorLines.count == 1)
    let file = try folder.write("file", text: "")
    #expect(await Squares.count(Squares.png, "--overlay", file + "/o.png").failed(.inputOutput))
  }

  @Test("The thumbnail is the representative alone, 200 x 200 pixels")
  func thumbnail() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.jpg")
    #expect(await Squares.count(Squares.png, "--thumbnail", path).code == .success)
    let thumbnail = try image(path)
    #expect(thumbnail.width == 200 && thumbnail.height == 200)
    #expect(thumbnail.samples.allSatisfy { $0 > 250 })
  }

  @Test("Nothing counted has an overlay, and no thumbnail")
  func nothing() async throws {
    let folder = try TemporaryFolder()
    let black = folder.path("black.png")
    try ImageFile.write(
      Raster(width: 64, height: 48, channels: 3), to: URL(fileURLWithPath: black))
    let run = await Squares.count(
      black, "--overlay", folder.path("o.png"), "--thumbnail", folder.path("t.jpg"))
    #expect(run.code == .success)
    #expect(try folder.names() == ["black.png", "o.png"])
  }

  @Test("A small photo is drawn larger, by as much as is asked for or as labels need")
  func scale() async throws {
    let folder = try TemporaryFolder()
    let photo = try image(Squares.png)
    let (free, fixed) = (folder.path("free.png"), folder.path("fixed.png"))
    #expect(await Squares.count(Squares.png, "--overlay", free).code == .success)
    #expect(
      await Squares.count(Squares.png, "--overlay", fixed, "--overlay-scale", "5").code == .success)
    #expect(try image(free).width >= 320 && image(free).width % photo.width == 0)
    #expect(try image(fixed).width == 5 * photo.width)
    for scale in ["0", "17", "1.5", "x"] {
      #expect(
        await Squares.count(Squares.png, "--overlay", free, "--overlay-scale", scale)
          .failed(.usage))
    }
  }

  @Test(
    "Plots are files of every format", arguments: ["map", "histograms", "dendrogram"],
    ["png", "jpg", "svg", "pdf"])
  func plots(option: String, ending: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("plot.\(ending)")
    let plain = await Squares.count(Squares.png)
    let run = await Squares.count(Squares.png, "--\(option)", path)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    // The count is the same with a trace and without; seconds are not.
    #expect(run.output.split(separator: "\n").first == plain.output.split(separator: "\n").first)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let beginnings = ["png": [0x89, 0x50], "jpg": [0xFF, 0xD8], "svg": [0x3C, 0x3F]]
    #expect(Array(data.prefix(2)) == (beginnings[ending] ?? [0x25, 0x50]).map { UInt8($0) })
    if ending == "pdf" {
      #expect(await Squares.count(Squares.png, "--\(option)", path).code == .success)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data, "the same each time")
    }
  }

  @Test("Plots of nothing say so")
  func plotsOfNothing() async throws {
    let folder = try TemporaryFolder()
    let black = folder.path("black.png")
    try ImageFile.write(
      Raster(width: 64, height: 48, channels: 3), to: URL(fileURLWithPath: black))
    let run = await Squares.count(
      black, "--map", folder.path("m.png"), "--histograms", folder.path("h.svg"), "--dendrogram",
      folder.path("d.pdf"))
    #expect(run.code == .success, "\(run)")
    #expect(try folder.names() == ["black.png", "d.pdf", "h.svg", "m.png"])
  }

  @Test("Plots that cannot be are errors before any work, or after the result")
  func impossiblePlots() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", text: "")
    for option in ["--map", "--histograms", "--dendrogram"] {
      #expect(await Squares.count(Squares.png, option, "p.gif").failed(.usage))
      #expect(
        await Squares.count(
          Squares.png, option, folder.path("p.png"), "--overlay", folder.path("p.png")
        ).failed(.usage))
      #expect(
        await Squares.count(Squares.png, Squares.jpeg, option, folder.path("p.pdf")).failed(.usage))
      #expect(await Squares.count(Squares.png, option, file + "/p.pdf").failed(.inputOutput))
    }
  }

  @Test("The tree's leaves and the map's things are the count's objects")
  func plotted() async throws {
    let objects = (0..<6).map { index in
      CountedDetection(
        detection: Detection(
          box: Box(x: Float(index) * 20, y: 5, width: 12, height: 12),
          score: 0.9 - Float(index) / 100, objectness: 1, classScore: 1, classID: 0),
        cluster: index / 4, isMain: index < 4)
    }
    let rows: [[Float]] = (0..<6).map { $0 < 4 ? [1, 0.01 * Float($0), 0] : [0, 0.1, Float($0)] }
    let result = CountingResult(
      count: 4, mainCluster: 0, clusterSizes: [0: 4, 1: 2], detections: objects, steps: [],
      seconds: CountingSeconds(), hint: nil, width: 200, height: 40)
    let trace = CountTrace(
      detections: objects.map { TracedDetection(detection: $0.detection, survived: [.detected]) },
      embedded: objects, embeddings: try EmbeddingMatrix(values: rows.flatMap { $0 }, dimension: 3))
    let count = TracedCount(result: result, trace: trace)
    let tree = try CountPlots.dendrogram(of: count, configuration: .standard)
    #expect(tree.leaves.sorted() == ["1", "2", "3", "4", "5", "6"])
    #expect(tree.brackets.compactMap(\.group).sorted() == [0, 0, 0, 1])
    let map = try CountPlots.map(of: count, in: Raster(width: 200, height: 40, channels: 3))
    #expect(map.items.map(\.kind) == [0, 0, 0, 0, 1, 1])
    #expect(map.items.contains { $0.picture != nil })
    #expect(map.kinds == ["main kind", "kind 2"])
    let plots = CountPlots.histograms(of: count, configuration: .standard)
    #expect(plots.map(\.kept.count) == [6, 6, 6] && plots.allSatisfy(\.dropped.isEmpty))
  }
}
