import Geometry

extension Sequence<Track> {
  /// The boxes of the confirmed tracks, with the numbers of their objects: the input of zones.
  ///
  /// Tracks that are not confirmed are left out, because their numbers may change.
  ///
  /// - Parameter sightings: the sightings of the tracks' frame. A track whose sighting is not among
  ///   them is left out.
  public func confirmedBoxes(in sightings: [Sighting]) -> [IdentifiedBox] {
    compactMap { track in
      guard track.isConfirmed, sightings.indices.contains(track.sighting) else { return nil }
      return IdentifiedBox(id: track.id, box: sightings[track.sighting].box)
    }
  }
}
