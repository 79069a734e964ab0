// begin
let output = try HeadOutput(shape: [1, 84, 2], values: [Float](repeating: 0.5, count: 168))
let scores = try HeadOutput(shape: [1, 2, 80], values: [Float](repeating: 0.5, count: 160))
let boxes = try HeadOutput(shape: [1, 2, 4], values: [0, 0, 10, 10, 20, 20, 30, 30])
