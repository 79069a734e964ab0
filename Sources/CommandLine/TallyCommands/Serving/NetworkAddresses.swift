import Foundation

/// Numeric addresses, and those of this machine.
enum NetworkAddresses {
  /// Whether a text is an address of IPv4 or IPv6.
  static func isNumeric(_ text: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
  }

  /// Whether only programs on this machine reach an address.
  static func isLoopback(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1"
  }

  /// The addresses by which other machines reach this one, those of IPv4 first.
  static func others(withSix: Bool) -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [(isSix: Bool, text: String)] = []
    for interface in sequence(first: first, next: { $0?.pointee.ifa_next }) {
      guard let address = interface?.pointee.ifa_addr else { continue }
      let isSix = address.pointee.sa_family == sa_family_t(AF_INET6)
      guard isSix ? withSix : address.pointee.sa_family == sa_family_t(AF_INET) else { continue }
      let size = isSix ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
      var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        getnameinfo(
          address, socklen_t(size), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let text = String(
        decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // An address with a zone is of use on one link only.
      if !isLoopback(text), !text.contains("%") { found.append((isSix, text)) }
    }
    return found.filter { !$0.isSix }.map(\.text) + found.filter(\.isSix).map(\.text)
  }
}
