import AppleVision
import CoreML
import Counting
import Geometry
import Raster
import SwiftUI

@main
struct CounterApp: App {
  var body: some Scene {
    WindowGroup { CounterView() }
  }
}

/// What the screen shows: a photo, its objects, and what is to be said.
@MainActor
final class Counter: ObservableObject {
  typealias Models = ObjectCounter<CoreMLObjectDetector<Raster>, VisionFeaturePrintEmbedder<Raster>>

  @Published private(set) var photo: CGImage?
  @Published private(set) var boxes: [Box] = []
  @Published private(set) var message = "Take a photo of the objects"
  private var models: Models?

  /// Counts the objects in a photo.
  func count(in file: Data) async {
    do {
      let image = try await Task.detached { try Raster(imageData: file) }.value
      (photo, boxes, message) = (try image.cgImage(), [], "Counting")
      let result = try await loadedModels().count(in: image)
      boxes = result.detections.filter(\.isMain).map(\.detection.box)
      message = result.hint.map { "\($0)" } ?? "\(result.count) objects; touch to correct"
    } catch {
      message = "\(error)"
    }
  }

  /// Takes away the object at a point of the photo, or adds one of the usual size.
  func correct(at point: Point) {
    if let index = boxes.lastIndex(where: { $0.contains(point) }) {
      boxes.remove(at: index)
    } else if let usual = boxes.sorted(by: { $0.area < $1.area }).dropFirst(boxes.count / 2).first {
      let (x, y) = (Float(point.x), Float(point.y))
      boxes.append(Box(centerX: x, centerY: y, width: usual.width, height: usual.height))
    }
    message = "\(boxes.count) objects"
  }

  /// The models; they are loaded once, and not in the main thread.
  private func loadedModels() async throws -> Models {
    if let models { return models }
    let loaded = try await Task.detached {
      guard let file = Bundle.main.url(forResource: "Detector", withExtension: "mlmodelc") else {
        throw CocoaError(.fileNoSuchFile)
      }
      return Models(
        detector: try CoreMLObjectDetector(model: MLModel(contentsOf: file)),
        embedder: try VisionFeaturePrintEmbedder())
    }.value
    models = loaded
    return loaded
  }
}

struct CounterView: View {
  @StateObject private var counter = Counter()
  @State private var isTaking = false

  var body: some View {
    VStack {
      if let photo = counter.photo {
        PhotoView(photo: photo, boxes: counter.boxes, touched: counter.correct)
      }
      Text(counter.message)
      Button("Count") { isTaking = true }
    }
    .sheet(isPresented: $isTaking) {
      CameraView { file in
        isTaking = false
        if let file { Task { await counter.count(in: file) } }
      }
    }
  }
}

/// A photo as wide as the screen, with a line around each object.
struct PhotoView: View {
  let photo: CGImage
  let boxes: [Box]
  let touched: (Point) -> Void

  var body: some View {
    GeometryReader { place in
      let scale = Double(place.size.width) / Double(photo.width)
      ZStack(alignment: .topLeading) {
        Image(decorative: photo, scale: CGFloat(1 / scale))
        Path { path in
          for box in boxes.map({ $0.scaled(by: Float(scale)) }) {
            path.addRect(
              CGRect(
                x: Double(box.minX), y: Double(box.minY), width: Double(box.width),
                height: Double(box.height)))
          }
        }
        .stroke(Color.green, lineWidth: 2)
      }
      .gesture(
        DragGesture(minimumDistance: 0).onEnded { touch in
          let (x, y) = (Double(touch.location.x), Double(touch.location.y))
          touched(Point(x: x / scale, y: y / scale))
        })
    }
  }
}
