import Stats

/// The bins that a report sorts values into.
enum ReportBins {
  static let confidence = histogram([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
  static let aspectRatio = histogram([0, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10])
  static let area = histogram([0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1])

  /// Bins with edges that are known to be ascending.
  private static func histogram(_ edges: [Double]) -> Histogram {
    guard let histogram = Histogram(edges: edges) else { preconditionFailure("edges ascend") }
    return histogram
  }
}
