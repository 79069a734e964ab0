import CommandKit
import Foundation

/// The command as a process of its own: what `main` calls.
package enum TallyProcess {
  /// The number to exit with if there are too few threads, or too few addresses for them; nil if
  /// there are enough.
  ///
  /// The system's library for threads tries without end to start one under a limit (`ulimit -v`,
  /// `ulimit -u`, a container's limit on processes). The reason is printed to standard error. Call
  /// it before there is a second thread.
  package static func refused() -> Int32? {
    if let code = refusedForAddresses() { return code }
    let wanted = min(ProcessInfo.processInfo.activeProcessorCount, 64) + otherThreads
    let possible = ThreadProbe.possible(atMost: wanted)
    guard possible < wanted else { return nil }
    return refuse(
      "a limit on processes and threads leaves \(Sentence.count(possible, "thread", "threads")), and "
        + "\(wanted) are needed; raise it by 'ulimit -u', or the container's limit on processes")
  }

  private static func refuse(_ reason: String) -> Int32 {
    FileHandle.standardError.write(Data("tally: error: \(reason)\n".utf8))
    return ExitCode.problemFound.rawValue
  }

  /// The threads besides one for each processor: for waiting, for timers, for signals.
  private static let otherThreads = 5

  private static func refusedForAddresses() -> Int32? {
    guard let limit = ProgramChecks.Memory.addressLimit,
      let room = ProgramChecks.Memory.room(below: limit)
    else { return nil }
    shareHeap()
    guard room < addressesOfThreads else { return nil }
    return refuse(
      "\(max(0, room) >> 20) MB are left of the limit of \(limit >> 20) MB on addresses, and threads "
        + "need \(addressesOfThreads >> 20) MB; raise it by 'ulimit -v'")
  }

  /// Eight stacks of 8 MB.
  private static let addressesOfThreads = 64 << 20

  /// Lets all threads share one heap.
  ///
  /// Glibc reserves 64 MB or more of addresses for the heap of each thread, and under a limit they
  /// are missing for stacks. Swift's module of Glibc does not have the function.
  private static func shareHeap() {
    #if canImport(Glibc)
      typealias Setter = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
      let mostHeaps: Int32 = -8  // M_ARENA_MAX of malloc.h
      guard let found = dlsym(nil, "mallopt") else { return }
      _ = unsafeBitCast(found, to: Setter.self)(mostHeaps, 1)
    #endif
  }

  /// Runs the process's command line and answers the number to exit with.
  package static func run() async -> Int32 {
    // A reader that stops reading, such as `head`, is found out by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    reserveStandardDescriptors()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let code = await TallyCommand.run(arguments, console: .standard)
    Interruptions.ofProcess.endIfReceived()
    return code.rawValue
  }

  /// Puts something in place of standard streams that the caller closed.
  ///
  /// Otherwise the next file opened would get their number, and results would be written into it.
  /// What is put there cannot be written to, so that a result that goes nowhere is still an error.
  private static func reserveStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is the one that is missing.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
