import Foundation
import TestSupport
import Testing

@testable import CountCommands

@Suite("tally count --labels and --crops of several photos")
struct LabelOptionTests {
  private func json(_ path: String) throws -> [String: [[String: Any]]] {
    try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        as? [String: [[String: Any]]])
  }

  @Test("One COCO file holds all photos, with ids of their own")
  func merged() async throws {
    let folder = try SomePhotos.folder(["in/a.png", "in/b.png", "in/c/a.png"])
    let file = folder.path("all.json")
    let run = await Squares.count(folder.path("in"), "-r", "--labels", file, "--jobs", "2")
    #expect(run.code == .success && run.errors == "tally: wrote \(file)\n", "\(run)")
    let coco = try json(file)
    #expect(
      coco["images"]?.map { $0["file_name"] as? String } == [
        folder.path("in/a.png"), folder.path("in/b.png"), folder.path("in/c/a.png"),
      ])
    let annotations = try #require(coco["annotations"])
    #expect(annotations.map { $0["id"] as? Int } == Array(1...36))
    #expect(annotations.count { $0["image_id"] as? Int == 3 } == 12)
    #expect(coco["categories"]?.map { $0["name"] as? String } == ["object"])
    let table = await Squares.count(folder.path("in"), "-r", "--labels", folder.path("all.csv"))
    #expect(table.code == .success)
    let lines = try String(contentsOfFile: folder.path("all.csv"), encoding: .utf8)
      .split(separator: "\n")
    #expect(lines.count == 37 && lines[0].hasPrefix("image,category,left,"))
  }

  @Test("Kinds that look alike have one class in all photos, and two of one photo never")
  func kinds() async throws {
    let folder = try SomePhotos.folder(["in/a.png", "in/b.png"])
    let file = folder.path("all.json")
    let run = await Squares.count(folder.path("in"), "--labels", file, "--label-kinds")
    #expect(run.code == .success, "\(run)")
    let coco = try json(file)
    #expect(coco["categories"]?.map { $0["name"] as? String } == ["kind 1", "kind 2"])
    let annotations = try #require(coco["annotations"])
    #expect(annotations.count { $0["category_id"] as? Int == 1 } == 24)
    #expect(annotations.count { $0["category_id"] as? Int == 2 } == 10)
    let looks: [[KindLook]] = [
      [
        KindLook(label: 0, size: 3, direction: [1, 0]),
        KindLook(label: 4, size: 2, direction: [1, 0]),
      ],
      [
        KindLook(label: 1, size: 9, direction: [0, 1]),
        KindLook(label: 0, size: 1, direction: [0.9, 0.1]),
      ],
      [],
    ]
    let classes = KindClasses(looks, leastDistance: 0.5)
    #expect(classes.names == ["kind 1", "kind 2", "kind 3"])
    #expect(classes.places == [[0: 1, 4: 2], [1: 0, 0: 1], [:]])
    #expect(KindClasses([], leastDistance: 0.5).names == ["object"])
  }

  @Test("YOLO's folder has photos, labels and data.yaml")
  func yolo() async throws {
    let folder = try SomePhotos.folder(["in/a.png", "in/b.png"])
    let set = folder.path("set")
    let run = await Squares.count(
      folder.path("in"), "--labels", set + "/", "--label-format", "yolo", "--label-kinds")
    #expect(run.code == .success && run.errors == "tally: wrote \(set)/data.yaml\n", "\(run)")
    #expect(try folder.names(in: "set") == ["data.yaml", "images", "labels"])
    #expect(try folder.names(in: "set/images") == ["a.png", "b.png"])
    #expect(try folder.names(in: "set/labels") == ["a.txt", "b.txt"])
    #expect(
      try String(contentsOfFile: set + "/data.yaml", encoding: .utf8)
        == "train: images\nval: images\nnames:\n  0: \"kind 1\"\n  1: \"kind 2\"\n")
    let lines = try String(contentsOfFile: set + "/labels/b.txt", encoding: .utf8)
      .split(separator: "\n")
    #expect(lines.count == 17 && lines.count { $0.hasPrefix("1 ") } == 5)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: set + "/images/a.png"))
        == Data(contentsOf: URL(fileURLWithPath: Squares.png)))
  }

  @Test("Options that contradict each other are usage errors")
  func contradictions() async throws {
    let folder = try SomePhotos.folder(["a.png", "b.png"])
    for options in [
      ["--label-kinds"], ["--label-format", "yolo"], ["--labels", "x.txt"],
      ["--labels", "x.json", "--label-format", "csv"],
      ["--labels", folder.path("x.json"), "--results", folder.path("r.jsonl")],
    ] {
      let run = await tally(["count", folder.url.path] + options + Squares.models)
      #expect(run.failed(.usage), "\(options): \(run)")
    }
  }

  @Test("Each counted object is cut out, numbered as it is listed")
  func crops() async throws {
    let folder = try SomePhotos.folder(["in/a.png", "in/b.png"])
    let run = await Squares.count(folder.path("in"), "--crops", folder.path("out"))
    #expect(run.code == .success, "\(run)")
    let names = try folder.names(in: "out")
    #expect(names.count == 24 && names.first == "a-01.png" && names.last == "b-12.png")
    let clash = await Squares.count(
      folder.path("in/a.png"), folder.path("in/b.png"), "--crops", folder.path("out"),
      "--overlay", folder.path("out") + "/{name}-01.png")
    #expect(clash.failed(.usage), "\(clash)")
  }

  @Test("Crops of photos with equal names go to the folders that a pattern names")
  func cropsByFolder() async throws {
    let folder = try SomePhotos.folder(["in/100/a.png", "in/101/a.png"])
    func count(_ crops: String) async -> CommandRun {
      await Squares.count(folder.path("in/100"), folder.path("in/101"), "--crops", crops)
    }
    let clash = await count(folder.path("out"))
    #expect(clash.failed(.usage) && clash.errors.contains("{path} in its place"), "\(clash)")
    let run = await count(folder.path("out/{folder}"))
    #expect(run.code == .success, "\(run)")
    for name in ["100", "101"] {
      #expect(try folder.names(in: "out/\(name)").first == "a-01.png")
    }
  }

  @Test("A folder of YOLO's labels needs no slash, and other folders are asked for by name")
  func folders() async throws {
    let folder = try SomePhotos.folder(["a.png"])
    let set = folder.path("set")
    let run = await Squares.count(folder.path("a.png"), "--labels", set, "--label-format", "yolo")
    #expect(run.code == .success && folder.has("set/data.yaml"), "\(run)")
    #expect(run.errors == "tally: wrote \(set)/data.yaml\n", "\(run)")
    let csv = await Squares.count(folder.path("a.png"), "--labels", folder.path("x"))
    #expect(
      csv.failed(.usage)
        && csv.errors.contains("must end in .json, .txt or .csv, or name a folder, as in"), "\(csv)"
    )
  }
}
