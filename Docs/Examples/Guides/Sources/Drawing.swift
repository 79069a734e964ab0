import Raster

// begin
let crops = [
  try Raster(width: 20, height: 20, channels: 3, fill: 128),
  try Raster(width: 20, height: 20, channels: 3, fill: 255),
]
let url = URL(fileURLWithPath: "plot.pdf")
