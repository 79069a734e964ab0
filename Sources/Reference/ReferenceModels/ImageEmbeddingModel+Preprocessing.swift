import ONNXRunner
import Raster

extension ImageEmbeddingModel {
  /// How images are to be prepared for a model, as far as the model tells.
  ///
  /// 1. The model's metadata property `tally.preprocessing`, where it is `clip`, `imagenet` or
  ///    `stretched`.
  /// 2. A network with attention (an `Attention`, `MultiHeadAttention` or `Softmax` node) is taken for
  ///    a vision transformer of the CLIP family: `CropPreprocessing.clip`.
  /// 3. Any other is taken for a convolutional network with the usual training on ImageNet:
  ///    `CropPreprocessing.imageNet`.
  ///
  /// CLIP's and ImageNet's differ by no more than 0.02 in mean and 0.06 in deviation, so a wrong guess shifts
  /// embeddings a little; whoever knows better names the preprocessing. The size is that of the
  /// model's input, 224 where it leaves it open.
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
