import ONNXRunner
import Raster

extension ImageEmbeddingModel {
  /// The preprocessing that a model needs, as far as the file shows.
  ///
  /// 1. The model's metadata property `tally.preprocessing`, if it is `clip`, `imagenet` or
  ///    `stretched`.
  /// 2. A network with attention (an `Attention`, `MultiHeadAttention` or `Softmax` node) is
  ///    assumed to be a vision transformer of the CLIP family: `CropPreprocessing.clip`.
  /// 3. Any other is assumed to be a convolutional network trained on ImageNet:
  ///    `CropPreprocessing.imageNet`.
  ///
  /// The values of CLIP and ImageNet differ by at most 0.02 in mean and 0.06 in deviation, so a
  /// wrong guess shifts embeddings a little; name the preprocessing if you know it. The size is
  /// that of the model's input, or 224 if the model leaves it open.
  public static func preprocessing(for session: InferenceSession) -> CropPreprocessing {
    switch session.metadata.properties["tally.preprocessing"] {
    case "clip": return .clip
    case "imagenet": return .imageNet
    case "stretched": return .stretched
    default:
      let attention = ["Attention", "MultiHeadAttention", "Softmax"]
      return attention.contains { session.metadata.operatorCounts[$0] != nil } ? .clip : .imageNet
    }
  }
}
