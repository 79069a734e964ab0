import FuzzSupport

@testable import ModelStore

extension Target {
  /// The manifest of a model, or a list of them: what is read is written so that it is read again.
  static let manifest = Target(
    "manifest",
    seeds: {
      let digest = String(repeating: "0123456789abcdef", count: 4)
      let one = """
        {"name":"detector","version":"1.2","sha256":"\(digest)","size":123,"task":"detection",
        "licence":"Apache-2.0","input":{"name":"images","type":"float32","shape":[1,3,null,640],
        "channels":"rgb","mean":[0.5,0.5,0.5],"deviation":[1,1,1]},
        "source":{"url":"https://example.org/a%20b.onnx?x=1"}}
        """
      let other = """
        {"name":"embedder","version":"2","sha256":"\(digest)","size":9,"task":"embedding",
        "source":{"package":"p","packageVersion":"1.0","file":"p-1.0-py3-none-any.whl",
        "member":"p/m.onnx","size":9,"sha256":"\(digest)"}}
        """
      return [one, other, "[\(one),\(other)]", "\"\\ud83d\\ude00\\u0000\""].map { Array($0.utf8) }
    }
  ) { bytes in
    try refusable(ModelStoreError.self) {
      let manifest = try ModelManifest(json: bytes)
      let again = try ModelManifest(json: manifest.json)
      expect(again == manifest, "\(manifest) is read again as \(again)")
    }
    try refusable(ModelStoreError.self) { _ = try ModelManifest.list(json: bytes) }
    try refusable(StrictJSON.Fault.self) { _ = try StrictJSON(bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    try refusable(ModelStoreError.self) {
      _ = try FetchAddress(text).following("../" + text)
    }
    _ = ContentRange(text)
  }
}
