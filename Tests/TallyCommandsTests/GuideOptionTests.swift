import Counting
import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing

@testable import CommandKit
@testable import CountCommands

@Suite("What to count, and where")
struct GuideOptionTests {
  private func guide(_ options: String...) throws -> CountingGuide {
    let parser = ArgumentParser(specification: CountCommand.specification)
    let console = Console(output: MemorySink(), errors: MemorySink())
    return try PhotoGuide(parser.parse(["photo.jpg"] + options), console: console).guide
  }

  @Test("Boxes and regions become a guide, in order")
  func parsed() throws {
    #expect(try guide() == CountingGuide())
    let boxes = try guide(
      "--like", "1,2,3,4", "--unlike", "5,6,7,8", "--like=-1.5,0,10,2e1", "--unlike", "0,0,1,1")
    #expect(
      boxes
        == CountingGuide(
          like: [
            Box(x: 1, y: 2, width: 3, height: 4), Box(x: -1.5, y: 0, width: 10, height: 20),
          ],
          unlike: [
            Box(x: 5, y: 6, width: 7, height: 8), Box(x: 0, y: 0, width: 1, height: 1),
          ]))
    let rectangle = try guide("--region", "10,20,30,40").region
    #expect(
      try rectangle == CountingRegion(of: Box(minX: 10, minY: 20, maxX: 40, maxY: 60)))
    let triangle = try guide("--region", "0,0,100,0,50,80").region
    #expect(
      try triangle
        == CountingRegion(corners: [
          Point(x: 0, y: 0), Point(x: 100, y: 0), Point(x: 50, y: 80),
        ]))
    #expect(try guide("--region", "0,0,9,0,9,9,5,3").region?.corners.count == 4)
  }

  @Test(
    "Numbers that are no box or region are usage errors that say what is wrong",
    arguments: [
      ("like", "", "has ''"), ("like", "1,2,3", "has 3 numbers"),
      ("like", "1,2,3,4,5", "has 5 numbers"), ("like", "7", "has 1 number;"),
      ("like", "1,2,0,4", "has a width of 0"), ("like", "1,2,3,-4", "has a height of -4"),
      ("like", "nan,2,3,4", "has 'nan', which is not a finite number"),
      ("like", "1,inf,3,4", "has 'inf'"), ("like", "1,2,,4", "has ''"),
      ("like", "1 2 3 4", "has '1 2 3 4'"), ("like", "1,2,3,4,", "has ''"),
      ("like", "1,2,1e9,4", "has '1e9'"), ("like", "1000000,2,0.001,4", "has no area"),
      ("unlike", "1,2,3", "has 3 numbers"), ("unlike", "0x1,2,3,4", "has '0x1'"),
      ("region", "1,2,3", "has 3 numbers"), ("region", "1,2,3,4,5", "has 5 numbers"),
      ("region", "1,2,3,4,5,6,7", "has 7 numbers"), ("region", "1,2,0,4", "has a width of 0"),
      ("region", "1,2,-3,4", "has a width of -3"), ("region", "0,0,1,1,2,2", "has no area"),
      ("region", "5,5,5,5,5,5", "has no area"), ("region", "0,0,0,1,0,2,0,3", "has no area"),
      ("region", "0,0,nan,1,2,3", "has 'nan'"), ("region", "", "has ''"),
    ])
  func refused(option: String, value: String, message: String) async {
    let run = await Squares.count(Squares.png, "--\(option)=\(value)", "--set", "adaptive")
    #expect(run.failed(.usage), "\(run)")
    #expect(run.errors.contains("--\(option) is '\(value)', which "), "\(run.errors)")
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.contains("; it must be "))
  }

  @Test("A region may be given once, and a template too")
  func once() async {
    let run = await Squares.count(
      Squares.png, "--region", "0,0,9,9", "--region", "0,0,5,5", "--set", "adaptive")
    #expect(run.failed(.usage))
    #expect(run.errors.contains("--region is given more than once"))
  }

  @Test(
    "What lies outside the photo is named, with the photo's size",
    arguments: [
      ("like", "500,10,20,20", "--like 500,10,20,20 lies outside the photo, which is 128 x 128"),
      ("unlike", "-20,-20,10,10", "--unlike -20,-20,10,10 lies outside"),
      ("region", "0,128,50,50", "--region with the corners 0,128 50,128 50,178 0,178 lies outside"),
      ("region", "200,0,300,0,250,90", "--region with the corners 200,0 300,0 250,90 lies"),
    ])
  func outside(option: String, value: String, message: String) async throws {
    let arguments = [Squares.png, "--\(option)=\(value)"] + Squares.models
    let run = await tally(["count"] + arguments)
    #expect(run.failed(.usage), "\(run)")
    #expect(run.errors.contains("\(Squares.png): \(message)"), "\(run.errors)")
    // Of many photos the others are still counted.
    let many = await tally(["count", "--jobs", "1", "--json"] + arguments)
    #expect(many.code == .usage)
    #expect(many.output.contains("\"error\":\"\(message)"), "\(many.output)")
    let stream = await tally(
      ["count", "--stream"] + arguments.dropFirst(), input: Array("\(Squares.png)\n".utf8))
    #expect(stream.code == .success && stream.output.contains("\"code\":64"), "\(stream)")
  }

  @Test("Guides are for the adaptive set", arguments: ["--like=1,2,3,4", "--region=0,0,50,50"])
  func bands(option: String) async {
    let run = await Squares.count(Squares.png, option)
    #expect(run.failed(.usage), "\(run)")
    #expect(run.errors.contains("is about the adaptive set"), "\(run.errors)")
  }

  @Test("Results by another guide are not gone on with")
  func results() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("r.jsonl")
    func run(_ options: String...) async -> CommandRun {
      await tally(["count", Squares.png, "--results", file] + options + Squares.models)
    }
    #expect(await run("--like", "16,16,24,24").code == .success)
    #expect(await run("--like", "16,16,24,24").code == .success)
    for (options, names) in [
      (["--like", "16,16,24,25"], "(like [[16,16,40,40]], now [[16,16,40,41]])"),
      ([], "(like [[16,16,40,40]], now [])"),
      (
        ["--like", "16,16,24,24", "--unlike", "40,16,24,24"],
        "(unlike [], now [[40,16,64,40]])"
      ),
      (["--like", "16,16,24,24", "--region", "0,0,99,99"], "(region)"),
    ] {
      let other = await tally(
        ["count", Squares.png, "--results", file] + options + Squares.models)
      #expect(other.failed(.badData), "\(other)")
      #expect(other.errors.contains("looked at with other settings \(names)"), "\(other.errors)")
    }
  }

  @Test("Watching and evaluating know no boxes; watching knows templates")
  func others() async throws {
    let folder = try TemporaryFolder()
    for option in ["--like=1,2,3,4", "--unlike=1,2,3,4", "--region=0,0,9,9"] {
      #expect(await tally("watch", folder.url.path, option).failed(.usage))
    }
    let run = await tally("watch", folder.url.path, "--template", folder.path("none.json"))
    #expect(run.failed(.noInput), "\(run)")
  }
}
