// begin
// A map that is all text.
let probabilities = [Float](repeating: 0.9, count: 736 * 992)
