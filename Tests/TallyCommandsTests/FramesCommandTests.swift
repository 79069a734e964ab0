import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing

@Suite("tally frames")
struct FramesCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Frames of a camera that moves along a shelf of five books.
  private func pan(_ count: Int, step: Int = 4) throws {
    let shelf = try ImageFile.load(
      contentsOf: URL(fileURLWithPath: Shelf.standing.write("shelf.tmp.png", in: folder)))
    try FileManager.default.removeItem(atPath: folder.path("shelf.tmp.png"))
    for index in 0..<count {
      let rect = try #require(
        PixelRect(x: index * step, y: 0, width: 440, height: shelf.height))
      let frame = try #require(shelf.cropped(to: rect))
      // Not in the order of their bytes: 10 comes after 9.
      try ImageFile.write(frame, to: URL(fileURLWithPath: folder.path("f\(index).png")))
    }
  }

  @Test("Books keep their numbers along a pan, and are counted once")
  func ids() async throws {
    try pan(11)
    let run = await tally("frames", folder.url.path, "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let frames = try run.outputLines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(frames.count == 11)
    for (index, frame) in frames.enumerated() {
      #expect(
        Set(frame.keys) == [
          "image", "width", "height", "time", "primary", "guidance", "message", "shift", "events",
          "distinctObjects", "objects",
        ])
      #expect(frame["image"] as? String == folder.path("f\(index).png"))
      #expect(frame["time"] as? Double == Double(index * 150) / 1000)
      let objects = try #require(frame["objects"] as? [[String: Any]])
      #expect(objects.map { $0["id"] as? Int } == [1, 2, 3, 4, 5])
      for object in objects {
        #expect(Set(object.keys) == ["id", "box", "quad", "confidence", "confirmed"])
        let box = try #require(object["box"] as? [Double])
        // The books stand in the picture: their boxes do in its shares, from the bottom left.
        #expect(box.count == 4 && box.allSatisfy { (-0.02...1.02).contains($0) })
        #expect(box[3] > box[2])
      }
    }
    #expect(frames.last?["distinctObjects"] as? Int == 5)
    #expect(frames.last?["primary"] as? String == "object")
  }

  @Test("Frames nearer than the least interval are passed over")
  func throttle() async throws {
    try pan(11)
    let run = await tally("frames", folder.url.path, "--interval", "50")
    #expect(run.outputLines.count == 4)
    #expect(
      run.outputLines.first?.hasPrefix("0.000 s  f0.png: 5 spines (1 2 3 4 5), 0 so far") == true)
    #expect(
      run.outputLines.last?.hasPrefix("0.450 s  f9.png: 5 spines (1 2 3 4 5), 5 so far") == true)
  }

  @Test("A damaged frame is an error line, and the others go on")
  func damaged() async throws {
    try pan(3)
    try folder.write("f1.png", [1, 2, 3])
    let run = await tally("frames", folder.url.path)
    #expect(run.code == .badData)
    #expect(run.errorLines.count == 1 && run.errors.contains("f1.png"))
    #expect(run.outputLines.count == 2)
  }

  @Test("A folder without frames, a file and nothing at all are told apart")
  func inputs() async throws {
    try folder.write("notes.txt", "no frame".utf8)
    #expect(await tally("frames", folder.url.path).failed(.noInput))
    #expect(await tally("frames", folder.path("notes.txt")).failed(.noInput))
    #expect(await tally("frames", folder.path("nowhere")).failed(.noInput))
    #expect(await tally("frames").failed(.usage))
    #expect(await tally("frames", folder.url.path, "--interval", "0").failed(.usage))
    #expect(await tally("frames", folder.url.path, folder.url.path).failed(.usage))
  }
}
