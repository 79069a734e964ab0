extension CountingConfiguration {
  /// These settings with what suits the models that come with the package, `BundledModels` of
  /// `ReferenceModels`, in place of what suits a detector and an embedder of somebody else's.
  ///
  /// ```swift
  /// let counter = ObjectCounter(
  ///   detector: try BundledModels.detector(), embedder: try BundledModels.embedder(),
  ///   configuration: .adaptive.suitedToBundledModels())
  /// ```
  ///
  /// The bundled detector's scores are near to probabilities, so that little of what it scores low is an
  /// object; the bundled embedder's distances say by themselves whether two things are of one kind. The
  /// values were chosen on rendered scenes that were held out and on labelled photos of the training's
  /// domains. `Docs/Accuracy.md` has the figures on other photos. Only ``adaptive`` and ``standard`` are changed: the other
  /// sets say for themselves how sure is sure enough.
  ///
  /// - Parameters:
  ///   - detector: whether the detector is the bundled one.
  ///   - embedder: whether the embedder is.
  public func suitedToBundledModels(
    detector: Bool = true, embedder: Bool = true
  ) -> CountingConfiguration {
    var suited = self
    if suited.adaptive != nil {
      if detector {
        suited.confidence = 0.3
        suited.nmsIoU = 0.55
        suited.adaptive?.targetSide = 45
        suited.adaptive?.sizeFactor = 2
        suited.adaptive?.scoreShare = 0.5
      }
      if embedder {
        suited.adaptive?.leastSilhouette = 0.45
        suited.adaptive?.leastKindDistance = 0.55
      }
    } else if detector, self == .standard {
      // It reports little that is not an object: filters only have to drop what is far off.
      suited.confidence = 0.4
      suited.nmsIoU = 0.5
      (suited.sizeSigma, suited.aspect, suited.areaSigma) = (4, .sigma(4), 4)
    }
    return suited
  }
}
