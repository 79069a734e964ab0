/// The version of the tool.
package enum ToolVersion {
  package static let current = "0.1.0"
}
