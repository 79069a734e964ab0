import Foundation
import TestSupport
import Testing

@Suite("The memory that photos take")
struct PhotoMemoryTests {
  /// The header of a PNG of so many pixels a side, without the rest.
  private func header(side: Int) -> [UInt8] {
    func bytes(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let content =
      Array("IHDR".utf8) + bytes(UInt32(side)) + bytes(UInt32(side)) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bytes(13) + content
      + bytes(checksum(content))
  }

  @Test(
    "A photo that takes more than --memory alone is refused with the number, whatever the jobs",
    arguments: ["1", "4"])
  func refusal(jobs: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("large.png", header(side: 12_000))
    let run = await Squares.count(path, "--memory", "200", "--jobs", jobs)
    #expect(run.failed(.badData))
    let words = "a photo of 12000 x 12000 pixels takes more than 200 MB; give --memory "
    let number = try #require(
      run.errors.components(separatedBy: words).last?.prefix { $0.isNumber })
    let needed = try #require(Int(number), "\(run.errors)")
    // The next thing that is wrong with it is that the rest is missing.
    for memory in [["--memory", "\(needed)"], []] {
      let enough = await tally(["count", path, "--jobs", jobs] + memory + Squares.models)
      #expect(enough.failed(.badData))
      #expect(enough.errors.contains("cut short"), "\(enough.errors)")
    }
    let less = await Squares.count(path, "--memory", "\(needed - 1)", "--jobs", jobs)
    #expect(
      less.errors.contains("takes more than \(needed - 1) MB; give --memory \(needed) or more"),
      "\(less.errors)")
  }

  @Test("A small photo is counted with the least memory that can be given")
  func least() async throws {
    let run = await Squares.count(Squares.png, "--memory", "100")
    #expect(run.code == .success, "\(run)")
  }
}
