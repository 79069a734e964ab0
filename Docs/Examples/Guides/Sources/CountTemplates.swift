import Counting

// begin
let digest = String(repeating: "5d1f", count: 16)
let models = CountTemplate.Models(detector: digest, embedder: digest)
let template = CountTemplate(models: models, like: [[1, 0]], unlike: [], side: 0.1, aspect: 1)
