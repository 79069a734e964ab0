#if canImport(Vision)
  import Geometry
  import Vision
  import VisionProtocols

  extension BlockingQueue {
    /// What a request of Vision answers for an image.
    ///
    /// - Parameters:
    ///   - name: what is looked for, for the error.
    ///   - image: the image.
    ///   - make: makes the request.
    ///   - read: reads its results, in the space of the upright image.
    /// - Throws: ``AppleVisionError/request(name:reason:)``; `CancellationError` if the task is
    ///   cancelled, which cancels the request; what `make`, `read` and the image throw.
    func answer<Request: VNRequest, Answer: Sendable>(
      _ name: String, for image: some VisionImage, make: @escaping @Sendable () throws -> Request,
      read: @escaping @Sendable (Request, CoordinateSpace) throws -> Answer
    ) async throws -> Answer {
      try await run { interruption in
        try perform(name, on: image, make: make, read: read, interruption)
      }
    }
  }

  /// Performs a request in the current thread, and cancels it when it is interrupted.
  func perform<Request: VNRequest, Answer>(
    _ name: String, on image: some VisionImage, make: () throws -> Request,
    read: (Request, CoordinateSpace) throws -> Answer, _ interruption: Interruption
  ) throws -> Answer {
    let space = try CoordinateSpace(width: image.width, height: image.height)
    let handler = try image.requestHandler()
    let request = try make()
    do {
      try interruption.stopping(by: request.cancel) { try handler.perform([request]) }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw AppleVisionError.request(name: name, reason: error.localizedDescription)
    }
    return try read(request, space)
  }

  extension CoordinateSpace {
    /// The corners in pixels of what Vision found.
    ///
    /// - Parameters:
    ///   - observation: what was found; Vision gives it in shares of the region of interest.
    ///   - region: the request's region of interest.
    func quadrilateral(
      of observation: VNRectangleObservation,
      in region: NormalizedBox = NormalizedBox(x: 0, y: 0, width: 1, height: 1)
    ) -> Quadrilateral {
      func corner(_ point: CGPoint) -> Point {
        Point(
          x: region.x + Double(point.x) * region.width,
          y: region.y + Double(point.y) * region.height)
      }
      return pixels(
        from: Quadrilateral(
          topLeft: corner(observation.topLeft), topRight: corner(observation.topRight),
          bottomRight: corner(observation.bottomRight), bottomLeft: corner(observation.bottomLeft)))
    }
  }

  extension NormalizedBox {
    /// The same box; both have shares of the image and the origin at the bottom left.
    init(_ box: CGRect) {
      self.init(
        x: Double(box.origin.x), y: Double(box.origin.y), width: Double(box.size.width),
        height: Double(box.size.height))
    }
  }
#endif
