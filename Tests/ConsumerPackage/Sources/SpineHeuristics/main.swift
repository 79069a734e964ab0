import Geometry
import SpineHeuristics
import Support

let standing = Quadrilateral(Box(x: 40, y: 10, width: 20, height: 200))
let lying = Quadrilateral(Box(x: 80, y: 180, width: 200, height: 25))
let spines = SpineGeometry()
guard spines.orientation(of: standing) == .standing, spines.orientation(of: lying) == .lying else {
  exit(because: "the tall outline stands and the flat one lies")
}
print("SpineHeuristics: the tall outline stands, the flat one lies")
