/// The version of the tool.
package enum ToolVersion {
  package static let current = "0.9.0"
}
