extension CountingConfiguration {
  /// This configuration with thresholds for the bundled models.
  ///
  /// The bundled models are `BundledModels` of `ReferenceModels`. The other thresholds suit foreign
  /// detectors and embedders.
  ///
  /// ```swift
  /// let counter = ObjectCounter(
  ///   detector: try BundledModels.detector(), embedder: try BundledModels.embedder(),
  ///   configuration: .adaptive.suitedToBundledModels())
  /// ```
  ///
  /// The bundled detector's scores are close to probabilities, so that few detections of low score
  /// are objects. The bundled embedder's distances show by themselves whether two objects are of
  /// one kind. The values were chosen on held-out rendered scenes and on labelled photos of the
  /// training's domains. `Docs/Accuracy.md` has the figures on other photos. Only
  /// ``adaptive-swift.type.property`` and ``standard`` are changed, because the other presets have
  /// their own confidence.
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
      // Few of its detections are wrong, so filters only have to drop outliers.
      suited.confidence = 0.4
      suited.nmsIoU = 0.5
      (suited.sizeSigma, suited.aspect, suited.areaSigma) = (4, .sigma(4), 4)
    }
    return suited
  }
}
