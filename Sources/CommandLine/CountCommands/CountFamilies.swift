import CommandKit

/// The commands of this module, in the order of the help text.
package enum CountFamilies {
  /// The commands that count objects in photos.
  package static let counting: [any Command.Type] = [CountCommand.self, WatchCommand.self]

  /// The commands that evaluate and improve counts, and manage their files.
  package static let aboutCounts: [any Command.Type] = [
    EvaluateBoxesCommand.self, EvaluateCountsCommand.self, TuneCommand.self,
    TemplateAddCommand.self, TemplateListCommand.self, TemplateShowCommand.self,
    TemplateRemoveCommand.self, HistoryListCommand.self, HistoryShowCommand.self,
    HistoryFavoriteCommand.self, HistoryDeleteCommand.self, HistoryClearCommand.self,
    HistoryLimitCommand.self, HistoryExportCommand.self, HistorySalvageCommand.self,
    SettingsShowCommand.self, SettingsSetCommand.self, SettingsResetCommand.self,
  ]
}
