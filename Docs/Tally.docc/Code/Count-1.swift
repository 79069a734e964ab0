import Foundation
import ImageFiles

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "coins.png"))
print(photo.width, photo.height)  // 384 303
