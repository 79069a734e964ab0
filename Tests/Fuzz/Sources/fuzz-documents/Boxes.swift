import Foundation
import FuzzSupport

@testable import CommandKit
@testable import CountCommands

extension Target {
  /// A file of boxes of images, ours or COCO's, as truth and as predictions.
  static let boxes = Target(
    "boxes",
    seeds: {
      [
        """
        {"images":[{"image":"a.jpg","boxes":[[1,2,30,40],
        {"box":[1.5,2,30,40],"score":0.5,"class":"cup","crowd":true,"ignore":false}]}]}
        """,
        """
        {"image":"a.jpg","boxes":[{"box":[0,0,1,1],"class":3}]}

        {"image":"b.jpg","boxes":[]}
        """,
        """
        {"images":[{"id":1,"file_name":"a.jpg"}],"categories":[{"id":7,"name":"cup"}],
        "annotations":[{"image_id":1,"category_id":7,"bbox":[1,2,3,4],"iscrowd":1}]}
        """, "[{\"image_id\":1,\"category_id\":2,\"bbox\":[1,2,3e0,4],\"score\":0.25}]",
        "[{\"image\":\"a\",\"boxes\":[[0,0,0,0]]}]",
        "image,category,left,top,right,bottom,score,origin\n\"a,\"\"\",./=x,1,2,3,4,0.5,machine\n",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let file = try Scratch.write(bytes, to: "boxes.json")
    for role in [BoxFile.Role.truth, .predictions] {
      try refusable(CommandError.self) {
        let boxes = try BoxFile(file.path, role: role)
        for entry in boxes.images.flatMap(\.annotations) {
          expect(entry.box.isFinite && entry.score?.isFinite != false, "\(entry)")
        }
        _ = (boxes.hasClasses, boxes.hasScores)
      }
    }
  }

  /// What is true of a photo, by its boxes and by points.
  static let truth = Target(
    "truth",
    seeds: {
      [
        """
        {"main":2,"all":3,"plus_or_minus":1,"domain":"kitchen","kind":"cup",
        "boxes":[[0,0,9,9,"cup"],[10,0,19,9,"cup"],[20,0,29,9,"jar"]]}
        """, "{\"main\":0,\"all\":1,\"boxes\":[[0,0,9,9]]}",
        "{\"width\":9,\"height\":9,\"kinds\":{\"a\":[[1,2,3]],\"b\":[]}}",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let file = try Scratch.write(bytes, to: "truth.json")
    var entry: TruthEntry?
    try refusable(CommandError.self) {
      let truth: TruthEntry = try TruthFile.decoded(file.path)
      entry = truth
      if truth.fault == nil { _ = truth.trueBoxes(minimumIoU: 0.5) }
    }
    try refusable(CommandError.self) {
      let points: PointsEntry = try TruthFile.decoded(file.path)
      let objects = try JSONDecoder().decode(
        TruthEntry.self, from: Data("{\"main\":1,\"all\":1}".utf8))
      for truth in [objects, entry].compactMap({ $0 }) where points.fault(against: truth) == nil {
        _ = (points.mainObjects, points.allObjects)
      }
    }
  }
}
