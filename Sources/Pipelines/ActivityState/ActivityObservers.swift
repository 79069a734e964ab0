import Dispatch

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

  /// Whether the system has Observation, so that there may be somebody to tell.
  var mayExist: Bool { registrar != nil }

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

  /// Tells them; it has to be called after the snapshot has changed, on the main thread.
  ///
  /// Observation itself tells them before a change, which suits readers on the thread of the change.
  /// Others could then read the old snapshot, and would miss the change.
  @MainActor
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

/// The queue of the main actor.
enum MainQueue {
  /// What marks the queue; it holds nothing that changes.
  private struct Mark: @unchecked Sendable {
    let key = DispatchSpecificKey<Bool>()

    init() { DispatchQueue.main.setSpecific(key: key, value: true) }
  }

  private static let mark = Mark()

  /// Whether this code runs there.
  ///
  /// A thread alone does not say so: on Linux the queue of a program with an asynchronous `main`
  /// moves to other threads.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark.key) ?? false }
}
