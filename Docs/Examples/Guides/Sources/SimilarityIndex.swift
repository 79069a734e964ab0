import TallyTestSupport

// begin
let embedding = (0..<512).map { Float($0 % 7) }
let folder = URL(fileURLWithPath: "photos")
let writer = try SimilarityWriter(creating: folder, dimension: 512)
try writer.add(id: UUID(), vector: embedding, payload: "shelf 3")
try writer.commit()
let things = URL(fileURLWithPath: "things.library")
let photo = TestImage("cup", width: 640, height: 480)!
let embedder = FakeEmbedder<TestImage>(dimension: 2) { _ in [1, 0] }
let identity = EmbedderIdentity(name: "colours", fingerprint: "5d1f", dimension: 2)
let filled = try LikenessLibrary(openingOrCreating: things, embedder: identity).writer()
try filled.add(id: UUID(), vector: [1, 0], payload: "cup")
try filled.commit()
filled.close()
