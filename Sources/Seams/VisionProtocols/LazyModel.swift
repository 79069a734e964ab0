/// When a ``LazyModel`` is loaded.
public enum ModelLoading: Hashable, Sendable {
  /// The first use loads it; all that want it wait.
  case onFirstUse
  /// Only ``LazyModel/load()`` loads it. Until then, a use throws ``ModelNotLoadedError``.
  case onRequest
}

/// A model that is in memory only if it is needed.
///
/// ```swift
/// let model = LazyModel(name: "text", idleSeconds: 60) {
///   try TextReader(files: TextModelFiles(folder: folder))
/// }
/// let recognizer = LazyTextRecognizer(model)    // costs nothing until the first image
/// await model.unload()                          // if the system wants memory back
/// ```
///
/// It is loaded once for any number of callers that want it at the same time. After a failed load,
/// the next use tries again.
///
/// It is never unloaded while somebody uses it. If ``unload()`` is called meanwhile, the last user
/// that leaves unloads it. So there is never a second copy of it in memory.
///
/// ``LazyObjectDetector``, ``LazyImageEmbedder``, ``LazyTextRecognizer``, ``LazyOutlineDetector``
/// and ``LazyImageClassifier`` put such a model behind the protocols of the pipelines.
public actor LazyModel<Model: Sendable> {
  /// The model's name, as errors show it.
  public nonisolated let name: String
  /// When it is loaded.
  public nonisolated let loading: ModelLoading

  private let idleSeconds: Double?
  private let sleep: @Sendable (Double) async throws -> Void
  private let loader: @Sendable () async throws -> Model

  private enum State {
    case empty, isLoading
    case loaded(Model)
  }

  private var state = State.empty
  private var waiters: [Int: CheckedContinuation<Model, any Error>] = [:]
  private var lastWaiter = 0
  private var users = 0
  /// Counts the uses, so that the end of an idle time can tell whether there was one since.
  private var uses = 0
  private var isToBeUnloaded = false
  private var idling: Task<Void, Never>?

  /// Makes a model that is not loaded.
  ///
  /// - Parameters:
  ///   - name: the model's name, as errors show it.
  ///   - loading: when it is loaded.
  ///   - idleSeconds: how long it is kept without a user; nil keeps it until ``unload()``. A value
  ///     below 0 counts as 0; NaN and infinity keep it too.
  ///   - sleep: returns after a number of seconds, or throws if the task is cancelled. Tests
  ///     replace it.
  ///   - load: makes the model. It runs in a task of its own, and only one at a time.
  public init(
    name: String, loading: ModelLoading = .onFirstUse, idleSeconds: Double? = nil,
    sleep: @escaping @Sendable (Double) async throws -> Void = {
      try await Task.sleep(nanoseconds: UInt64(min($0, 1e9) * 1e9))
    },
    load: @escaping @Sendable () async throws -> Model
  ) {
    self.name = name
    self.loading = loading
    self.idleSeconds = idleSeconds.flatMap { $0.isFinite ? max($0, 0) : nil }
    self.sleep = sleep
    loader = load
  }

  deinit {
    idling?.cancel()
  }

  /// Whether it is in memory now.
  public var isLoaded: Bool {
    if case .loaded = state { true } else { false }
  }

  // MARK: Using

  /// Uses the model, which stays in memory until `body` returns.
  ///
  /// Do not keep the model beyond `body`: a reference that is kept keeps the memory too.
  ///
  /// - Throws: what loading throws; ``ModelNotLoadedError`` if it is not loaded and only
  ///   ``load()`` may load it; `CancellationError` if the task is cancelled while it waits; what
  ///   `body` throws.
  public nonisolated func withModel<Result: Sendable>(
    _ body: @Sendable (Model) async throws -> Result
  ) async throws -> Result {
    let model = try await acquire(mayLoad: loading == .onFirstUse)
    do {
      let result = try await body(model)
      await release()
      return result
    } catch {
      await release()
      throw error
    }
  }

  /// Loads the model if it is not in memory, so that the next use need not wait.
  ///
  /// Its idle time begins when it is loaded. If the task is cancelled, the load goes on, and the
  /// next use finds the model.
  ///
  /// - Throws: what loading throws; `CancellationError` if the task is cancelled while it waits.
  public func load() async throws {
    isToBeUnloaded = false
    _ = try await acquire(mayLoad: true)
    release()
  }

  private func acquire(mayLoad: Bool) async throws -> Model {
    switch state {
    case .loaded(let model):
      // Whoever may not load gets no model that is about to go, or it would never go.
      guard mayLoad || !isToBeUnloaded else { throw ModelNotLoadedError(model: name) }
      begin(users: 1)
      return model
    case .isLoading:
      guard mayLoad else { throw ModelNotLoadedError(model: name) }
    case .empty:
      guard mayLoad else { throw ModelNotLoadedError(model: name) }
      try Task.checkCancellation()
      state = .isLoading
      Task {
        do {
          finish(.success(try await loader()))
        } catch {
          finish(.failure(error))
        }
      }
    }
    lastWaiter += 1
    let id = lastWaiter
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          waiters[id] = continuation
        }
      }
    } onCancel: {
      Task { await self.cancel(waiter: id) }
    }
  }

  private func cancel(waiter id: Int) {
    waiters.removeValue(forKey: id)?.resume(throwing: CancellationError())
  }

  private func finish(_ result: Result<Model, any Error>) {
    let waiting = waiters.values
    waiters = [:]
    switch result {
    case .success(let model):
      state = .loaded(model)
      begin(users: waiting.count)
      if users == 0 { becomeFree() }
    case .failure:
      state = .empty
      isToBeUnloaded = false
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  private func begin(users count: Int) {
    users += count
    uses += 1
    idling?.cancel()
    idling = nil
  }

  private func release() {
    users -= 1
    if users == 0 { becomeFree() }
  }

  // MARK: Unloading

  /// Takes the model out of memory, or has the last user do it.
  ///
  /// Call it if the system wants memory back. If the first use loads the model, those who come
  /// before the last user has left share the model that is still there. Otherwise they get
  /// ``ModelNotLoadedError``. A model that is being loaded is unloaded when those who wait for it
  /// have used it.
  ///
  /// - Returns: whether it is out of memory now.
  @discardableResult
  public func unload() -> Bool {
    switch state {
    case .empty: return true
    case .loaded where users == 0:
      drop()
      return true
    case .loaded, .isLoading:
      isToBeUnloaded = true
      return false
    }
  }

  private func drop() {
    state = .empty
    isToBeUnloaded = false
    idling?.cancel()
    idling = nil
  }

  private func becomeFree() {
    guard !isToBeUnloaded else { return drop() }
    guard let idleSeconds else { return }
    let use = uses
    idling = Task { [weak self, sleep] in
      do {
        try await sleep(idleSeconds)
      } catch {
        return
      }
      await self?.endIdling(since: use)
    }
  }

  private func endIdling(since use: Int) {
    // Somebody may have come after the time was over and before this was called.
    guard use == uses, users == 0, isLoaded else { return }
    drop()
  }
}
