import Clustering
import LinearAlgebra
import Support

let embeddings = try Matrix<Float>(rows: [[1, 0], [0.99, 0.01], [0, 1]])
let clustering = AgglomerativeClustering(linkage: .average, cut: .similarity(0.8))
let labels = try clustering.fit(embeddings).labels
guard labels[0] == labels[1], labels[0] != labels[2] else {
  exit(because: "the first two rows are alike and the third is not, but the labels are \(labels)")
}
print("Clustering: labels \(labels)")
