import Foundation

#if canImport(_CurlTransfer)
  import _CurlTransfer
#endif

/// Receives the response to a request.
///
/// An error ends the transfer, which throws the error.
protocol HTTPReceiver: AnyObject {
  /// Takes a piece of the body.
  func receive(_ bytes: UnsafeRawBufferPointer, of head: HTTPHead) throws(ModelStoreError)
  /// Called about twenty times a second, even if nothing came.
  func tick() throws(ModelStoreError)
}

/// The status and the headers of a response.
struct HTTPHead: Sendable {
  /// The status, such as 200.
  let status: Int
  /// Values by names in lower case; the last value of each name.
  var fields: [String: String] = [:]
}

/// One GET request whose response is passed on as it arrives.
///
/// It uses libcurl and not Foundation's `URLSession`. On Linux, that ends the process if a server
/// is cut off inside its header, or sends trailers (swift-corelibs-foundation 6.3,
/// NativeProtocol.swift, "Transfer completed, but there's no response").
enum HTTPTransfer {
  /// Makes the transfer; redirections are not followed.
  ///
  /// - Parameter headers: lines such as `Range: bytes=10-`.
  /// - Returns: the head of the response, after its whole body was received.
  /// - Throws: ``ModelStoreError/connection(url:reason:)``, or the receiver's error.
  static func run(
    _ address: FetchAddress, headers: [String], receiver: any HTTPReceiver
  ) throws(ModelStoreError) -> HTTPHead {
    #if canImport(_CurlTransfer)
      let exchange = Exchange(receiver, shown: address.shown)
      let end = run(address, headers: headers.joined(separator: "\n"), exchange)
      if let failure = exchange.failure { throw failure }
      guard end.succeeded, let head = exchange.head else {
        let reason = withUnsafeBytes(of: end.message) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        throw .connection(
          url: address.shown, reason: reason.isEmpty ? "the server gave no proper answer" : reason)
      }
      return head
    #else
      throw .connection(
        url: address.shown, reason: "there is no libcurl here; download the file and install it")
    #endif
  }

  #if canImport(_CurlTransfer)
    private static func run(
      _ address: FetchAddress, headers: String, _ exchange: Exchange
    ) -> tally_transfer_end {
      // The texts and the exchange outlive the call, and are used only during it.
      withExtendedLifetime(exchange) {
        address.text.withCString { url in
          headers.withCString { headers in
            "tally".withCString { agent in
              var transfer = tally_transfer(
                url: url, user_agent: agent, headers: headers,
                context: Unmanaged.passUnretained(exchange).toOpaque(),
                receive_header: { context, bytes, count in
                  Exchange.of(context).receiveHeader(
                    UnsafeRawBufferPointer(start: bytes, count: count))
                },
                receive_body: { context, bytes, count in
                  Exchange.of(context).receiveBody(
                    UnsafeRawBufferPointer(start: bytes, count: count))
                },
                proceed: { context in Exchange.of(context).proceed() })
              return tally_transfer_run(&transfer)
            }
          }
        }
      }
    }
  #endif
}

/// The context of the C callbacks.
private final class Exchange {
  private let receiver: any HTTPReceiver
  private let shown: String
  private(set) var head: HTTPHead?
  private(set) var failure: ModelStoreError?
  private var headerBytes = 0

  /// Servers do not need more.
  private static let longestHeader = 1 << 18

  /// An exchange with an address, as errors show it.
  init(_ receiver: any HTTPReceiver, shown: String) {
    self.receiver = receiver
    self.shown = shown
  }

  static func of(_ context: UnsafeMutableRawPointer) -> Exchange {
    Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  }

  func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= Self.longestHeader else {
      failure = .connection(
        url: shown, reason: "the server's header has more than \(Self.longestHeader >> 10) KiB")
      return false
    }
    let line = String(decoding: bytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if line.hasPrefix("HTTP/") {
      // If there are several heads, as after 100, the last one is that of the response.
      let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      head = status.map { HTTPHead(status: $0) }
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      head?.fields[line[..<colon].lowercased()] = value
    }
    return true
  }

  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let head else { return false }
    return succeeds { () throws(ModelStoreError) in try receiver.receive(bytes, of: head) }
  }

  func proceed() -> Bool {
    succeeds { () throws(ModelStoreError) in try receiver.tick() }
  }

  private func succeeds(_ work: () throws(ModelStoreError) -> Void) -> Bool {
    do throws(ModelStoreError) {
      try work()
      return true
    } catch {
      failure = error
      return false
    }
  }
}
