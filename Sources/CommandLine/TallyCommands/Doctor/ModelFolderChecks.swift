import CommandKit
import Foundation
import ModelStore

/// Checks of the folder of models, without the network.
enum ModelFolderChecks {
  private static let title = "models"

  /// Whether the folder can be used, and the models in it are whole.
  static func findings(_ console: Console) -> [Finding] {
    guard let models = ModelReference.usualFolder(console) else {
      return [
        .note(
          title, "there is no place for models",
          advice: "set HOME, XDG_DATA_HOME or \(ModelReference.variable) to keep models by name")
      ]
    }
    let path = models.url.path
    switch FolderAccess.kind(path) {
    case .absent:
      return [absent(path)]
    case .other:
      return [
        .problem(
          title, "\(path): this is not a folder",
          advice: "move it away, or set \(ModelReference.variable)")
      ]
    case .hidden(let reason):
      return [
        .problem(
          title, "\(path): cannot be looked at: \(reason)",
          advice: "change its permissions, or set \(ModelReference.variable)")
      ]
    case .folder:
      return contents(of: models)
    }
  }

  private static func absent(_ path: String) -> Finding {
    guard let reason = FolderAccess.refusal(toWriteIn: path) else {
      return .ok(title, "\(path): not made yet, which 'tally models fetch' does")
    }
    return .note(
      title, "\(path): cannot be made: \(reason)",
      advice: "to fetch models, change the permissions or set \(ModelReference.variable)")
  }

  private static func contents(of models: ModelFolder) -> [Finding] {
    let path = models.url.path
    let listed: [ListedModel]
    do {
      listed = try models.list()
    } catch {
      return [.problem(title, Failure.of(error).message, advice: "change its permissions")]
    }
    var findings: [Finding] = []
    for model in listed {
      if let finding = damage(of: model, in: models) { findings.append(finding) }
    }
    let used = Set(listed.filter(\.isInUse).map(\.name))
    for name in Set(listed.map(\.name)).subtracting(used).sorted() {
      findings.append(
        .problem(
          title, "\(name): no version of it is in use",
          advice: "choose one with 'tally models use \(name) VERSION'"))
    }
    if findings.isEmpty {
      let count = Sentence.count(used.count, "model", "models")
      findings.append(.ok(title, "\(path): \(count) kept by name, all in use are whole"))
    }
    if let reason = FolderAccess.refusal(toWriteIn: path) {
      findings.append(
        .note(
          title, reason,
          advice: "to fetch models, change the permissions or set \(ModelReference.variable)"))
    }
    return findings
  }

  /// What is wrong with a version: any with its manifest, the one in use also with its file.
  private static func damage(of model: ListedModel, in models: ModelFolder) -> Finding? {
    let name = "\(model.name) \(model.version)"
    do {
      _ = try model.manifest.get()
      if model.isInUse { _ = try models.verified(model.name, version: model.version) }
      return nil
    } catch {
      return .problem(
        title, "\(name): \(Failure.of(error).message)",
        advice: "'tally models fetch \(model.name)' repairs a model of the catalogue; add another "
          + "again")
    }
  }
}
