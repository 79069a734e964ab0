import Counting
import Foundation
import Geometry
import ImageFiles
import Perception
import Raster
import Testing

@testable import TallyCommands

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
    let run = await Squares.count(Squares.png, "--overlay", path)
    #expect(run.code == .success && run.errors.isEmpty)
    let drawn = try image(path)
    let photo = try image(Squares.png)
    #expect(drawn.width == photo.width && drawn.height == photo.height)
    let main = pixel(drawn, 16, 20)
    #expect(main[1] > main[0] && main[1] > main[2], "green: \(main)")
    let other = pixel(drawn, 16, 92)
    #expect(other[2] > other[0] && other[2] > other[1], "blue: \(other)")
    #expect(pixel(drawn, 20, 20) == pixel(photo, 20, 20))
    #expect(pixel(drawn, 4, 4) == pixel(photo, 4, 4))
  }

  @Test("The format is that of the name", arguments: ["png", "jpg", "JPEG", "svg"])
  func formats(ending: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("o.\(ending)")
    #expect(await Squares.count(Squares.png, "--overlay", path).code == .success)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    switch ending {
    case "svg":
      #expect(String(decoding: data, as: UTF8.self).contains("<svg"))
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
    "A picture that cannot be written is an I/O error, after the result", arguments: ["png", "svg"])
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
}
