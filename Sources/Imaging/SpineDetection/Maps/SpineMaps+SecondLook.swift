import Geometry

extension SpineMaps {
  /// Spines thinner than this, in cells, show better at a larger size.
  private static let thin = 15.0
  /// The least confidence of a possible spine that causes a second pass.
  private static let leastConfidence = 0.2

  /// Whether an outline, in pixels of the picture, is so thin in these maps that a larger size
  /// shows it better.
  func isThin(_ outline: Quadrilateral) -> Bool {
    outline.mapCorners { $0.scaled(x: 1 / cellWidth, y: 1 / cellHeight) }.shortSide < Self.thin
  }

  /// The part of the picture for a second pass at a larger size; nil if there is none.
  ///
  /// It contains all possible thin spines, and is in pixels of the picture.
  ///
  /// - Complexity: that of finding spines in these maps alone.
  public func placeOfThinSpines() -> Box? {
    MapSpines(in: self).placeOfThinOnes()
  }

  /// The same if what the maps show is known.
  fileprivate func place(ofThinOnesAmong candidates: [MapCandidate]) -> Box? {
    let places = candidates.compactMap { candidate -> Box? in
      let cells = candidate.outline.mapCorners { $0.scaled(x: 1 / cellWidth, y: 1 / cellHeight) }
      let thickness = cells.shortSide
      guard thickness < Self.thin, candidate.confidence >= Self.leastConfidence else { return nil }
      // Its neighbours may be as thin, and were not seen at all.
      let (box, margin) = (cells.boundingBox, Float(2 * thickness + 4))
      return Box(
        minX: box.minX - margin, minY: box.minY - margin, maxX: box.maxX + margin,
        maxY: box.maxY + margin)
    }
    guard let first = places.first else { return nil }
    return places.dropFirst().reduce(first) { $0.union($1) }
      .clipped(toWidth: width, height: height)
      .scaled(x: Float(cellWidth), y: Float(cellHeight))
  }
}

extension MapSpines {
  /// The part of the picture for a second pass, as `SpineMaps.placeOfThinSpines()`.
  package func placeOfThinOnes() -> Box? {
    maps.place(ofThinOnesAmong: MapCandidate.all(of: [self]))
  }
}
