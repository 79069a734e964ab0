import CommandKit

// On other systems, folders are scanned repeatedly instead.
#if canImport(Glibc)
  import Dispatch
  import Glibc

  /// An event in a folder.
  enum FolderNotice: Equatable, Sendable {
    /// A file was closed by its writer, or got its name.
    case whole(FolderName)
    /// A name was removed.
    case gone(FolderName)
    /// There were more events than the system keeps.
    case overflow
    /// The folder itself was removed, renamed or unmounted.
    case folderGone
  }

  /// The events of a folder on Linux (`inotify(7)`), from the moment this is made.
  final class FolderNotices: @unchecked Sendable {
    // Safe to share: it is only cancelled, which Dispatch allows from anywhere.
    private let source: any DispatchSourceRead

    /// Begins to listen to a folder.
    ///
    /// - Parameter take: called with the events, in order, one call at a time.
    /// - Throws: ``CommandError`` if the system refuses, for example because a user has too many of
    ///   these.
    init(
      _ folder: String, _ take: @escaping @Sendable ([FolderNotice]) -> Void
    ) throws(CommandError) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { throw Self.refused(folder) }
      let events =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF
        | IN_MOVE_SELF
      guard inotify_add_watch(descriptor, folder, UInt32(events) | UInt32(IN_ONLYDIR)) >= 0 else {
        let error = Self.refused(folder)
        close(descriptor)
        throw error
      }
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "tally.folder"))
      source.setEventHandler {
        let notices = Self.read(descriptor, folder)
        if !notices.isEmpty { take(notices) }
      }
      // It is not closed earlier, because Dispatch may still use it.
      source.setCancelHandler { close(descriptor) }
      source.resume()
      self.source = source
    }

    /// Ends the listening.
    func cancel() { source.cancel() }

    deinit { source.cancel() }

    private static func refused(_ folder: String) -> CommandError {
      let reason =
        errno == ENOSPC || errno == EMFILE
        ? "too many folders are watched by this user (see --poll)"
        : String(cString: strerror(errno))
      return CommandError(.inputOutput, at: folder, "cannot be watched: \(reason)")
    }

    /// All events that wait to be read.
    private static func read(_ descriptor: Int32, _ folder: String) -> [FolderNotice] {
      var notices: [FolderNotice] = []
      withUnsafeTemporaryAllocation(
        byteCount: 65_536, alignment: MemoryLayout<inotify_event>.alignment
      ) { buffer in
        while true {
          let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return }
          notices += parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), folder)
        }
      }
      return notices
    }

    /// The events in the system's bytes.
    static func parse(_ bytes: UnsafeRawBufferPointer, _ folder: String) -> [FolderNotice] {
      var notices: [FolderNotice] = []
      let header = MemoryLayout<inotify_event>.size
      var start = 0
      while start + header <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
        let mask = Int32(truncatingIfNeeded: event.mask)
        let name = start + header
        start = name + Int(event.len)
        guard start <= bytes.count else { break }
        if mask & IN_Q_OVERFLOW != 0 { notices.append(.overflow) }
        // The last flag means that no more events will come, for example after unmounting.
        if mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 { notices.append(.folderGone) }
        guard event.len > 0, mask & IN_ISDIR == 0, let base = bytes.baseAddress else { continue }
        // It ends with zeros, which also fill the field.
        let text = base.advanced(by: name).assumingMemoryBound(to: CChar.self)
        let found = FolderName(text)
        if mask & (IN_DELETE | IN_MOVED_FROM) != 0 { notices.append(.gone(found)) }
        if mask & (IN_CLOSE_WRITE | IN_MOVED_TO) != 0
          || mask & IN_CREATE != 0 && isLink("\(folder)/\(found.text)")
        {
          notices.append(.whole(found))
        }
      }
      return notices
    }

    /// Whether an existing file got another name: such a file is not closed.
    private static func isLink(_ path: String) -> Bool {
      var status = stat()
      guard lstat(path, &status) == 0 else { return false }
      return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
    }
  }
#endif
