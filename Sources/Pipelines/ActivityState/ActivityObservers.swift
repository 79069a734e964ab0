#if canImport(Observation)
  import Observation

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  extension Activity: Observable {}
#endif

/// Those who observe the snapshot of an activity, where Observation exists.
struct ActivityObservers: Sendable {
  /// The `ObservationRegistrar` as any type, as a property cannot need a later system than the type
  /// that has it.
  private let registrar: (any Sendable)?

  init() {
    #if canImport(Observation)
      if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) {
        registrar = ObservationRegistrar()
        return
      }
    #endif
    registrar = nil
  }

  /// Takes down who reads; it has to be called before the snapshot is read.
  func access<Progress, Value>(_ activity: Activity<Progress, Value>) {
    #if canImport(Observation)
      if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *),
        let registrar = registrar as? ObservationRegistrar
      {
        registrar.access(activity, keyPath: \.snapshot)
      }
    #endif
  }

  /// Tells them; it has to be called after the snapshot has changed.
  ///
  /// Observation itself tells them before a change, which suits readers on the same thread. One on
  /// another thread could then read the old snapshot, and would miss the change.
  func notify<Progress, Value>(_ activity: Activity<Progress, Value>) {
    #if canImport(Observation)
      if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *),
        let registrar = registrar as? ObservationRegistrar
      {
        registrar.withMutation(of: activity, keyPath: \.snapshot) {}
      }
    #endif
  }
}
