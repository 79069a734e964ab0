import Perception
import Raster

// `Raster` has all that a pipeline asks of an image; only the promise is missing.
extension Raster: CroppableImage {}
