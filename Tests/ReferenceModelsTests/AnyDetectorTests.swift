import Foundation
import Geometry
import ONNXRunner
import Raster
import ReferenceModels
import Testing
import VisionProtocols

/// The tiny models see two objects; scores are the means of red, green and blue that the network saw.
@Suite("Detectors of any family")
struct AnyDetectorTests {
  let red: [UInt8] = [255, 0, 0]

  private func load(_ name: String, head: String? = nil) throws -> AnyDetector {
    try AnyDetector(contentsOf: tinyModel(name), head: head.flatMap { DetectorHead(named: $0) })
  }

  private func expect(_ box: Box, _ sides: [Float], _ note: String = "") {
    let mine = [box.minX, box.minY, box.maxX, box.maxY]
    #expect(zip(mine, sides).allSatisfy { abs($0 - $1) < 0.01 }, "\(mine) \(note)")
  }

  @Test(
    "a head is found without a word",
    arguments: [
      ("yolov8", "yolov8"), ("yolov8_unnamed", "yolov8"), ("yolov8_rows", "yolov8"),
      ("yolov8_obb", "yolov8"), ("yolov8_seg", "yolov8"), ("yolov5", "yolov5"),
      ("yolov5_maps", "yolov5"),
      ("end_to_end", "end-to-end"), ("end_to_end_unnamed", "end-to-end"),
      ("yolov7_end_to_end", "yolov7-end-to-end"), ("rf_detr", "rf-detr"),
      ("rtdetr_rows", "rt-detr"), ("sized", "rt-detr"), ("torchvision", "torchvision"),
      ("torchvision_fixed", "torchvision"), ("tensorflow", "tensorflow"),
      ("efficient_nms", "efficient-nms"), ("yolo_nas_bytes", "yolo-nas"),
      ("yolo_nas_suppressed", "yolo-nas"), ("picodet", "picodet"), ("yolov3", "yolov3"),
      ("ssd", "ssd"), ("detector", "yolox"), ("detector_half", "yolox"),
    ])
  func found(name: String, head: String) throws {
    let detector = try load(name)
    #expect(detector.head.name == head)
    #expect(detector.suppressesDuplicates == (head != "yolox"))
  }

  /// A photo of 128 x 64 lies in rows 16 to 48 of the canvas: a box doubles after 16 rows are taken off.
  @Test(
    "YOLO sees RGB in 0...1 in the middle of grey",
    arguments: [
      ("yolov8", nil), ("yolov8_unnamed", nil), ("yolov8_rows", nil),
      ("yolov8_rows_unnamed", "yolov8"), ("yolov5", nil), ("yolov8_seg", nil), ("yolov5_maps", nil),
      ("yolov6", "yolov5"),
    ] as [(String, String?)])
  func yolo(name: String, head: String?) async throws {
    let detector = try load(name, head: head)
    #expect(detector.inputSize == PixelSize(width: 64, height: 64))
    let found = try await detector.detections(
      in: plain(red, width: 128, height: 64), minimumConfidence: 0.1)
    #expect(found.count == 2)
    guard found.count == 2 else { return }
    let share = Float(255 + 114) / 2 / 255
    let objectness: [Float] = ["yolov5", "yolov5_maps"].contains(name) ? [0.9, 0.6] : [1, 1]
    for (one, objectness) in zip(found, objectness) {
      #expect(one.classID == 0 && abs(one.score - objectness * share) < 1e-5)
    }
    expect(found[0].box, [32, 0, 48, 32], name)
    expect(found[1].box, [40, 24, 72, 40], name)
    #expect(detector.name(ofClass: 0) == (detector.classNames == nil ? "class 0" : "red"))
    #expect(detector.scale(imageWidth: 128, imageHeight: 64) == 0.5)
  }

  @Test("what could be two heads is refused, and says which")
  func open() throws {
    for name in ["yolov8_rows_unnamed", "queries", "paddle", "yolov6"] {
      let error = #expect(throws: ReferenceModelError.self) { _ = try load(name) }
      guard case .openHead(let heads, let reason, let found)? = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      #expect(!heads.isEmpty && !reason.isEmpty && !found.isEmpty)
      switch name {
      case "yolov8_rows_unnamed": #expect(Set(heads).isSuperset(of: ["yolov8", "yolox-decoded"]))
      case "queries": #expect(Set(heads) == ["rt-detr", "detr", "rf-detr"])
      case "paddle": #expect(heads == ["paddle"])
      case "yolov6": #expect(Set(heads) == ["yolox-decoded", "yolov5", "yolov8"])
      default: break
      }
    }
  }

  @Test("what is not a detector is refused, with a head named or not")
  func refused() throws {
    for (name, head) in [
      ("embedder_flat", nil), ("embedder_flat", "yolov8"), ("yolov8", "yolox"),
      ("yolov8", "torchvision"), ("tensorflow", "end-to-end"), ("detector", "detr"),
      ("yolov5", "yolov8"), ("end_to_end", "yolov5"),
    ] as [(String, String?)] {
      let error = #expect(throws: ReferenceModelError.self) { _ = try load(name, head: head) }
      guard case .notDetector(let told, let reason, _)? = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      #expect(told == head && !reason.isEmpty)
    }
    // A YOLOX has one way to prepare photos: another is not ignored.
    #expect(throws: ReferenceModelError.self) {
      try AnyDetector(
        contentsOf: tinyModel("detector"), head: DetectorHead(named: "yolox"),
        preprocessing: DetectorPreprocessing(.unit))
    }
    #expect(throws: ReferenceModelError.self) {
      try AnyDetector(
        contentsOf: tinyModel("yolov8"), inputSize: PixelSize(width: 96, height: 64))
    }
  }

  @Test("logits and boxes of queries, once it is said what they are")
  func queries() async throws {
    let image = try plain(red, width: 128, height: 64)
    for (name, head, score) in [
      ("queries", "rt-detr", 1 / (1 + exp(-2))), ("rf_detr", nil, 1 / (1 + exp(-2))),
      ("queries", "detr", exp(2) / (exp(2) + exp(-3) + 2 * exp(-9))),
      ("queries_masked", "detr", exp(2) / (exp(2) + exp(-3) + 2 * exp(-9))),
    ] as [(String, String?, Float)] {
      let detector = try load(name, head: head)
      let found = try await detector.detections(in: image, minimumConfidence: 0.5)
        .sorted { $0.score > $1.score }
      #expect(found.map(\.classID) == [2, 0])
      guard found.count == 2 else { continue }
      #expect(abs(found[0].score - score) < 1e-5)
      // A quarter of the photo to the right, half of it down: the photo is stretched.
      expect(found[0].box, [24, 16, 40, 48], name)
      expect(found[1].box, [48, 8, 80, 24], name)
    }
  }

  @Test("rows of an RT-DETR are parts of a stretched photo")
  func rows() async throws {
    let detector = try load("rtdetr_rows")
    let found = try await detector.detections(
      in: plain(red, width: 128, height: 64), minimumConfidence: 0.5)
    #expect(found.count == 2 && found.allSatisfy { $0.score == 1 && $0.classID == 0 })
    if let first = found.first { expect(first.box, [24, 16, 40, 48]) }
  }

  @Test("networks with the suppression inside")
  func endToEnd() async throws {
    let image = try plain(red, width: 128, height: 64)
    for name in ["end_to_end", "end_to_end_unnamed", "yolov7_end_to_end"] {
      let found = try await load(name).detections(in: image, minimumConfidence: 0.25)
      #expect(found.map(\.classID) == [2, 0])
      guard found.count == 2 else { continue }
      expect(found[0].box, [32, 0, 48, 32], name)
      #expect(found[0].score == 0.9 && found[1].score == 0.6)
    }
    let one = try await load("efficient_nms").detections(in: image, minimumConfidence: 0.25)
    #expect(one.map(\.classID) == [2])
  }

  @Test(
    "each place of the grid with its classes and its box",
    arguments: ["yolo_nas", "yolo_nas_bytes"])
  func places(name: String) async throws {
    // What the grey around the photo adds to the other classes does not reach half of it.
    let found = try await load(name, head: "yolo-nas").detections(
      in: plain(red, width: 128, height: 64), minimumConfidence: 0.6
    ).filter { name == "yolo_nas" || $0.score > 100 }
    // In the middle on grey; red is the last of three planes for floats, the first for bytes.
    #expect(found.map(\.classID) == (name == "yolo_nas" ? [2, 2] : [0, 0]))
    let share = Float(255 + 114) / 2 / (name == "yolo_nas" ? 255 : 1)
    #expect(found.allSatisfy { abs($0.score - share) < 1e-3 })
    expect(found[0].box, [32, 0, 48, 32])
    expect(found[1].box, [40, 24, 72, 40])
  }

  @Test("PicoDet: a stride from the middle of a place to each side")
  func distances() async throws {
    let found = try await load("picodet").detections(
      in: plain(red, width: 128, height: 64), minimumConfidence: 0.6)
    #expect(Set(found.map(\.classID)) == [0])
    // Place 10 of stride 8, and place 5 of stride 16; the photo is stretched, so that only x doubles.
    expect(found[0].box, [24, 4, 56, 20])
    expect(found[1].box, [16, 8, 80, 40])
  }

  @Test("YOLOv3 chose among its boxes, which are in pixels of the photo")
  func chosen() async throws {
    let image = try plain(red, width: 128, height: 64)
    let found = try await load("yolov3").detections(in: image, minimumConfidence: 0.25)
    #expect(found.map(\.classID) == [1] && found.map(\.score) == [0.9])
    expect(found[0].box, [32, 16, 48, 32])
  }

  @Test("SSD's boxes are parts of the photo, and its classes count from 1")
  func ssd() async throws {
    let image = try plain(red, width: 128, height: 64)
    let found = try await load("ssd").detections(in: image, minimumConfidence: 0.25)
    #expect(found.map(\.classID) == [18])
    expect(found[0].box, [32, 16, 48, 32])
  }

  @Test("MMDetection does not say how pixels are normalized: a rule must be given")
  func mmdetection() async throws {
    #expect {
      try load("mmdetection")
    } throws: {
      guard case .openHead(let heads, _, _)? = $0 as? ReferenceModelError else { return false }
      return heads == ["mmdetection"]
    }
    let found = try await AnyDetector(
      contentsOf: tinyModel("mmdetection"), preprocessing: DetectorPreprocessing(.imageNet)
    ).detections(in: plain(red, width: 128, height: 64), minimumConfidence: 0.25)
    #expect(found.map(\.classID) == [5, 0])
    expect(found[0].box, [32, 16, 48, 32])
  }

  @Test("torchvision takes the whole photo, or one fitted into what was exported")
  func torchvision() async throws {
    let image = try plain(red, width: 128, height: 64)
    let whole = try await load("torchvision").detections(in: image, minimumConfidence: 0.5)
    #expect(whole.map(\.classID) == [3, 1])
    expect(whole[0].box, [16, 16, 24, 32])
    let fixed = try await load("torchvision_fixed").detections(in: image, minimumConfidence: 0.5)
    expect(fixed[0].box, [32, 32, 48, 64])
  }

  @Test("TensorFlow takes bytes, and says how many of its rows hold")
  func tensorFlow() async throws {
    let found = try await load("tensorflow").detections(
      in: plain(red, width: 128, height: 64), minimumConfidence: 0.5)
    #expect(found.map(\.classID) == [18])
    expect(found[0].box, [32, 16, 48, 32])
  }

  @Test("the photo's size as an input")
  func sized() async throws {
    let image = try plain(red, width: 128, height: 96)
    let found = try await load("sized").detections(in: image, minimumConfidence: 0.5)
    #expect(found.map(\.classID) == [7])
    expect(found[0].box, [0, 0, 128, 96])
    let paddle = try await AnyDetector(
      contentsOf: tinyModel("paddle"), preprocessing: DetectorPreprocessing(.unit)
    ).detections(in: image, minimumConfidence: 0.5)
    expect(paddle[0].box, [0, 0, 2 / Float(3), 0.5])
  }

  @Test("rotated boxes have corners, and masks have outlines")
  func outlines() async throws {
    let image = try plain(red, width: 128, height: 64)
    let turned = try load("yolov8_obb")
    #expect(turned.outlineForm == .rotatedBox)
    let found = try await turned.detections(in: image, minimumConfidence: 0.1)
    guard found.count == 2, case .rotatedBox(let quad)? = found[0].outline,
      case .rotatedBox(let upright)? = found[1].outline
    else {
      Issue.record("\(found)")
      return
    }
    // 8 x 16 on the canvas, 16 x 32 in the photo, turned by 45 degrees about (40, 16).
    let reach = (8 + 16) / 2.0.squareRoot()
    let box = quad.boundingBox
    expect(box, [40, 16, 40, 16].enumerated().map { Float($1) + Float($0 < 2 ? -reach : reach) })
    #expect(found[0].box == box)
    #expect(upright.boundingBox == found[1].box)

    let masked = try load("yolov8_seg")
    #expect(masked.outlineForm == .polygon)
    let both = try await masked.detections(in: image, minimumConfidence: 0.1)
    for one in both {
      guard case .polygon(let points)? = one.outline, let around = Box(around: points) else {
        Issue.record("no outline")
        continue
      }
      // The first mask is the left half of the canvas, which ends beyond the first box; the second the right half.
      let expected: [Float] =
        one.box.minX < 36 ? [32, 0, 48, 32] : [64, 24, 72, 40]
      expect(around, expected)
    }
    #expect(both.count == 2)
  }

  @Test("only some classes")
  func classes() async throws {
    var detector = try load("end_to_end")
    detector.classes = [0]
    let found = try await detector.detections(
      in: plain(red, width: 128, height: 64), minimumConfidence: 0.25)
    #expect(found.map(\.classID) == [0])
  }

  @Test("a YOLOX behind it is the same YOLOX")
  func yolox() async throws {
    let image = try plain(red, width: 128, height: 64)
    let own = try YOLOXDetector(contentsOf: tinyModel("detector"))
    let expected = try await own.detections(in: image, minimumConfidence: 0.1)
    for detector in [AnyDetector(own), try load("detector")] {
      let found = try await detector.detections(in: image, minimumConfidence: 0.1)
      #expect(found == expected && detector.head.name == "yolox")
      #expect(!detector.suppressesDuplicates)
    }
    let decoded = try load("detector_decoded", head: "yolox-decoded")
    #expect(try await decoded.detections(in: image, minimumConfidence: 0.1).count == 2)
  }

  @Test("what transformers writes beside a model says what it is")
  func companions() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("detector-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = folder.appendingPathComponent("model.onnx")
    try FileManager.default.copyItem(at: tinyModel("queries"), to: model)
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    try write(
      #"{"model_type": "yolos", "id2label": {"1": "b", "0": "a", "2": "c"}}"#, "config.json")
    try write(
      #"{"do_normalize": true, "image_mean": [0.1, 0.2, 0.3], "image_std": [1, 1, 1], "resample": 3}"#,
      "preprocessor_config.json")
    let detector = try AnyDetector(contentsOf: model)
    #expect(detector.head.name == "detr" && detector.name(ofClass: 2) == "c")
    #expect(detector.preprocessing.normalization.mean == [0.1, 0.2, 0.3])
    #expect(detector.preprocessing.resampling == .bicubic)
    try write(#"{"model_type": "rt_detr"}"#, "config.json")
    #expect(try AnyDetector(contentsOf: model).head.name == "rt-detr")
    // What is of something else, or damaged, is as if it were not there.
    try write(#"{"model_type": "#, "config.json")
    #expect(throws: ReferenceModelError.self) { _ = try AnyDetector(contentsOf: model) }
  }

  @Test("heads have names")
  func names() {
    #expect(Set(DetectorHead.all.map(\.name)).count == DetectorHead.all.count)
    for head in DetectorHead.all {
      #expect(DetectorHead(named: head.name) == head && !head.summary.isEmpty)
    }
    #expect(DetectorHead(named: "yolo") == nil)
  }
}
