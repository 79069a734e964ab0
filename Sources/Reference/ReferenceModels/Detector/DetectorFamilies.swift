/// All families.
enum DetectorFamilies {
  static var all: [any DetectorFamily.Type] {
    [
      YOLOXFamily.self, DecodedYOLOXFamily.self, YOLOv5Family.self, YOLOv8Family.self,
      EndToEndFamily.self, YOLOv7EndToEndFamily.self, RTDETRFamily.self, RFDETRFamily.self,
      DETRFamily.self, TorchvisionFamily.self, TensorFlowFamily.self, EfficientNMSFamily.self,
      PaddleFamily.self, YOLONASFamily.self, PicoDetFamily.self, YOLOv3Family.self, SSDFamily.self,
      MMDetectionFamily.self,
    ]
  }
}

extension DetectorHead {
  /// All heads that are read.
  public static var all: [DetectorHead] { DetectorFamilies.all.map { $0.head } }

  /// The head with a name; nil if there is none.
  public init?(named name: String) {
    guard let head = Self.all.first(where: { $0.name == name }) else { return nil }
    self = head
  }
}
