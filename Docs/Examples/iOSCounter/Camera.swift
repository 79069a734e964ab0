import SwiftUI
import UIKit

/// The system's camera, which answers the file of a photo, or nil if nobody took one.
struct CameraView: UIViewControllerRepresentable {
  let taken: (Data?) -> Void

  func makeCoordinator() -> Coordinator { Coordinator(taken: taken) }

  func makeUIViewController(context: Context) -> UIImagePickerController {
    let camera = UIImagePickerController()
    camera.sourceType = .camera
    camera.delegate = context.coordinator
    return camera
  }

  func updateUIViewController(_ camera: UIImagePickerController, context: Context) {}

  final class Coordinator: NSObject, UIImagePickerControllerDelegate, UINavigationControllerDelegate
  {
    private let taken: (Data?) -> Void

    init(taken: @escaping (Data?) -> Void) { self.taken = taken }

    func imagePickerController(
      _ camera: UIImagePickerController,
      didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
    ) {
      // The file says how it is to be turned.
      taken((info[.originalImage] as? UIImage)?.jpegData(compressionQuality: 0.9))
    }

    func imagePickerControllerDidCancel(_ camera: UIImagePickerController) { taken(nil) }
  }
}
