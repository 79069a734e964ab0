import Foundation

/// A place that keeps a person's settings.
///
/// ``SettingsFile`` keeps them in a file, and ``MemorySettings`` in memory. An app may keep them
/// elsewhere, such as in `UserDefaults` or iCloud: ``CountingSettings/text`` is what to keep, and
/// ``CountingSettings/init(json:)`` reads it.
public protocol SettingsStore: Sendable {
  /// The settings; nil if none were kept.
  func read() async throws -> CountingSettings?

  /// Changes the settings, all or nothing.
  ///
  /// - Parameters:
  ///   - forgotten: the names of fields that are removed first; errors in them are ignored.
  ///   - body: changes the remaining settings; if it throws, nothing is kept.
  /// - Returns: the new settings.
  @discardableResult
  func change(
    forgetting forgotten: Set<String>, _ body: @Sendable (inout CountingSettings) throws -> Void
  ) async throws -> CountingSettings

  /// Removes all settings.
  ///
  /// - Returns: what was removed; nil if none were kept.
  @discardableResult
  func reset() async throws -> SettingsReset?
}

/// What was removed when settings were reset.
public struct SettingsReset: Hashable, Sendable {
  /// The number of fields that were set.
  public let fields: Int
  /// The place where a damaged file is kept; nil if it was not damaged.
  public let damagedPath: String?

  /// Makes a report.
  public init(fields: Int, damagedPath: String? = nil) {
    self.fields = fields
    self.damagedPath = damagedPath
  }
}

/// Settings in memory, for tests and for sessions that leave nothing behind.
public actor MemorySettings: SettingsStore {
  private var settings: CountingSettings?

  /// Makes a store with settings, or without any.
  public init(_ settings: CountingSettings? = nil) { self.settings = settings }

  /// The settings; nil if none were kept.
  public func read() -> CountingSettings? { settings }

  /// Changes the settings; if `body` throws, they stay.
  @discardableResult
  public func change(
    forgetting forgotten: Set<String> = [],
    _ body: @Sendable (inout CountingSettings) throws -> Void
  ) throws -> CountingSettings {
    var changed = settings ?? CountingSettings()
    changed.forget(forgotten)
    try body(&changed)
    settings = changed
    return changed
  }

  /// Removes all settings.
  @discardableResult
  public func reset() -> SettingsReset? {
    defer { settings = nil }
    return settings.map { SettingsReset(fields: $0.fields.count) }
  }
}
