import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("Where files go")
struct OutputPatternTests {
  private func paths(_ pattern: String, _ inputs: String...) throws -> [String] {
    try OutputPattern(pattern, option: "overlay", extensions: ["png", "jpg"], inputs: inputs).paths
  }

  private func message(_ pattern: String, _ inputs: String...) -> String {
    do {
      _ = try OutputPattern(
        pattern, option: "overlay", extensions: ["png", "jpg"], inputs: inputs)
      return ""
    } catch {
      return error.message
    }
  }

  @Test("One input takes the path as it is")
  func single() throws {
    #expect(try paths("out.png", "a.jpg") == ["out.png"])
    #expect(try paths("OUT.JPG", "a.jpg") == ["OUT.JPG"])
    #expect(try paths("{name}.png", "x/a.b.jpg") == ["a.b.png"])
  }

  @Test("Several inputs need a pattern or a folder")
  func several() throws {
    #expect(try paths("o/{name}-{name}.jpg", "a.jpg", "x/b.heic") == ["o/a-a.jpg", "o/b-b.jpg"])
    #expect(try paths("o/", "a.jpg", "b") == ["o/a.png", "o/b.png"])
    let folder = try TemporaryFolder()
    #expect(try paths(folder.url.path, "a.jpg") == [folder.path("a.png")])
    #expect(
      message("out.png", "a.jpg", "b.jpg")
        == "--overlay is one file, 'out.png', for 2 inputs; write {name} in it, as in "
        + "'out/{name}.png', or name a folder")
  }

  @Test(
    "A file must end in what can be written",
    arguments: ["out.bmp", "out", "png", ".png", "a.png.txt"])
  func endings(pattern: String) {
    let folder =
      pattern.dropFirst().contains(".") ? "" : ", or name a folder, as in '\(pattern)/'"
    #expect(
      message(pattern, "a.jpg")
        == "--overlay is '\(pattern)'; it must end in .png or .jpg\(folder)")
  }

  @Test("No two inputs share a file")
  func collisions() {
    #expect(
      message("o/", "x/a.jpg", "y/a.png")
        == "--overlay would write 'o/a.png' for both 'x/a.jpg' and 'y/a.png'; "
        + "{path} in its place keeps them apart")
    #expect(
      message("o/", "a.jpg", "a.jpg")
        == "'a.jpg' is given more than once, and --overlay would write 'o/a.png' for each")
    #expect(message("./{name}/../o.png", "a", "b").hasPrefix("--overlay would write"))
  }

  @Test("Folders keep files of one name apart, and no path leads out")
  func placeholders() throws {
    #expect(
      try paths("o/{folder}-{name}.png", "D/100/a.jpg", "D/101/a.jpg") == [
        "o/100-a.png", "o/101-a.png",
      ])
    #expect(
      try paths("o/{path}.png", "D/100/a.jpg", "./D/101/a.b.jpg") == [
        "o/D/100/a.png", "o/D/101/a.b.png",
      ])
    #expect(try paths("o/{path}.png", "/x/../y/a.jpg") == ["o/x/_/y/a.png"])
    #expect(try paths("{folder}.png", "/a.jpg") == ["_.png"])
    // A name that looks like a placeholder is a name.
    #expect(try paths("o/{name}.png", "{folder}.jpg") == ["o/{folder}.png"])
    #expect(try paths("o/{nam}{name}.png", "a.jpg") == ["o/{nam}a.png"])
  }

  @Test("No input is overwritten, through whatever links")
  func inputs() throws {
    let folder = try TemporaryFolder()
    let input = try folder.write("a.png", text: "x")
    #expect(message(input, input) == "--overlay would overwrite the input '\(input)'")
    #expect(message(folder.url.path + "/", input).hasPrefix("--overlay would overwrite the input"))
    let link = folder.path("link.png")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: input)
    #expect(message(link, input).hasPrefix("--overlay would overwrite the input"))
  }

  @Test("Folders are made, and what stands in their way is an error")
  func folders() throws {
    let folder = try TemporaryFolder()
    func make(_ pattern: String) throws {
      try OutputPattern(pattern, option: "overlay", extensions: ["png"], inputs: ["a"])
        .makeFolders()
    }
    try make(folder.path("x") + "/")
    try make(folder.path("y/{name}/z/o.png"))
    #expect(folder.has("x") && folder.has("y/a/z"))
    try make(folder.path("x/o.png"))
    // With a wrong letter in it, a path would make folders that nobody finds.
    for wrong in ["w/o.png", "w/v/{name}.png", "w/v/{name}/o.png"] {
      #expect(throws: CommandError.self) { try make(folder.path(wrong)) }
      #expect(!folder.has("w"))
    }
    let file = try folder.write("file", text: "")
    #expect(throws: CommandError(.inputOutput, at: "\(file)/x", "the folder cannot be made")) {
      try OutputFolder.make("\(file)/x")
    }
  }

  @Test("Names of tensors become names of files that stay in their folder")
  func safeNames() {
    let names = [
      "output", "/etc/passwd", "../../x", "..", ".", "", ".hidden", "a b/c", "é", "a.b-c_d",
      "\u{0}",
      String(repeating: "x", count: 500),
    ]
    let safe = SafeFileName.unique(for: names)
    #expect(
      safe == [
        "output", "_etc_passwd", "_._.._x", "_.", "_", "_-2", "_hidden", "a_b_c", "_-3", "a.b-c_d",
        "_-4", String(repeating: "x", count: 120),
      ])
    for name in safe {
      #expect(!name.contains("/") && !name.hasPrefix(".") && !name.isEmpty)
    }
  }

  @Test("Names that would be one file on some disk get numbers")
  func uniqueNames() {
    #expect(SafeFileName.unique(for: ["a", "A", "a", "a-2"]) == ["a", "A-2", "a-3", "a-2-2"])
  }
}
