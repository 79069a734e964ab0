// begin
let folder = URL(fileURLWithPath: "photos.index")
let book = UUID()
let embedding = (0..<512).map { Float($0 % 7) }
let query = (0..<512).map { Float($0 % 7) + Float($0 % 3) }
