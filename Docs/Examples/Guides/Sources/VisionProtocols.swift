import ABTesting
import Raster
import Recognition
import ReferenceModels

// begin
let folder = try fetchedModel("")
let url = try fetchedModel("efficientnet_lite0.onnx")
let categories = try LabelCategories(["furniture": ["desk"]])
let model = try BundledModels.spineSegmenter()
let rollout = try Rollout(salt: "new-spine-finder", share: 0.05)
let userID = "4711"
