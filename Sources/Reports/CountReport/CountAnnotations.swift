import Annotations
import Counting
import Geometry

extension AnnotationSet {
  /// Makes labels for training and evaluation from the objects of a count.
  ///
  /// Boxes are clipped to the photo. Boxes without an area are then left out, and so are scores
  /// that are not finite.
  ///
  /// - Parameters:
  ///   - count: the corrected count, or `CorrectedCount(result)`.
  ///   - image: the name of the photo's file, as other programs know it.
  ///   - categories: the names of the possible categories, in order.
  ///   - places: the place of each kind's category, by the kind's label in the count's clusters.
  ///     Objects of other kinds are left out. The main kind, including the objects that a person
  ///     added, has the first category if it is not in `places`.
  /// - Precondition: the places are those of categories.
  public init(
    _ count: CorrectedCount, image: String, categories: [String] = ["object"],
    ofKind places: [Int: Int] = [:]
  ) {
    precondition(
      !categories.isEmpty && places.values.allSatisfy(categories.indices.contains),
      "a kind has a category that is not there")
    let (width, height) = (count.machine.width, count.machine.height)
    func annotation(
      _ box: Box, _ object: CountedDetection?, _ origin: CorrectedCount.Origin, _ category: Int
    ) -> Annotation? {
      let clipped = box.clipped(toWidth: width, height: height)
      guard box.isFinite, !clipped.isEmpty else { return nil }
      return Annotation(
        box: clipped, category: categories[category],
        score: object.map(\.detection.score).flatMap { $0.isFinite ? $0 : nil },
        origin: origin.rawValue,
        // The machine's outline does not fit a box that a person moved.
        outline: origin == .machine
          ? object?.detection.outline?.corners.map { corner in
            Point(
              x: min(max(corner.x, 0), Double(width)), y: min(max(corner.y, 0), Double(height)))
          } : nil)
    }
    let main = count.machine.mainCluster.flatMap { places[$0] } ?? 0
    let annotations =
      count.objects.compactMap { annotation($0.box, $0.machine, $0.origin, main) }
      + count.machine.detections.compactMap { object in
        guard !object.isMain, let place = places[object.cluster] else { return nil }
        return annotation(object.detection.box, object, .machine, place)
      }
    self.init(
      [AnnotatedPhoto(name: image, width: width, height: height, annotations: annotations)],
      categories: categories)
  }
}
