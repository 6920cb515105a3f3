package import Domain
package import HTTPTypes
import Logging
import Synchronization

/// The proxies whose word on who asks is taken.
package struct TrustedProxies: Hashable, Sendable {
    /// The field in which a proxy says for whom it asks.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        /// `X-Forwarded-For`: addresses, that of the client first.
        case xForwardedFor = "x-forwarded-for"
        /// `Forwarded` (RFC 7239), its `for`.
        case forwarded
    }

    /// No proxy.
    package static let none = TrustedProxies([])

    /// The longest element that is read, in bytes.
    private static let longest = 512

    private let ranges: [NetworkRange]
    private let field: Field

    /// Makes the set.
    ///
    /// - Parameters:
    ///   - ranges: the proxies' addresses.
    ///   - field: the field that they write. The other one is never read, for a proxy passes on what it does not know.
    package init(_ ranges: [NetworkRange], field: Field = .xForwardedFor) {
        self.ranges = ranges
        self.field = field
    }

    /// Who asks over a connection that comes from `peer`; nil if a proxy was asked by somebody it does not name.
    ///
    /// Each proxy adds, at the end, whom it heard. So the field is read from its end, as long as whoever speaks is trusted:
    /// the last address that is not trusted is the client's, and what stands before it anybody may have written. Where it
    /// cannot be read on, nobody knows who asks; where there is nothing to read, the proxy itself does.
    package func client(of headers: HTTPFields, from peer: String?) -> String? {
        guard !ranges.isEmpty, let peer, isTrusted(peer), let name = HTTPField.Name(field.rawValue) else { return peer }
        var client = peer
        for value in headers[values: name].reversed() {
            var rest = value.utf8[...]
            while !rest.isEmpty {
                let comma = rest.lastIndex(of: UInt8(ascii: ","))
                let element = comma.map { rest[rest.index(after: $0)...] } ?? rest
                rest = comma.map { rest[..<$0] } ?? rest.prefix(0)
                // An empty element is none (RFC 9110, 5.6.1.2).
                guard element.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
                guard element.count <= Self.longest, element.allSatisfy({ $0 < 0x80 }),
                    let next = address(in: Substring(element))
                else { return nil }
                client = next
                guard isTrusted(client) else { return client }
            }
        }
        return client
    }

    /// Whether a request says, from a stranger on this machine, that it is passed on: by a proxy that nobody has named.
    package func isUnnamedProxy(_ headers: HTTPFields, from peer: String?) -> Bool {
        guard let peer, let address = NetworkAddress(peer), address.isLoopback, !isTrusted(peer) else { return false }
        return Field.allCases.contains { field in
            HTTPField.Name(field.rawValue).map { headers[$0] != nil } ?? false
        }
    }

    private func isTrusted(_ text: String) -> Bool {
        guard let address = NetworkAddress(text) else { return false }
        return ranges.contains { $0.contains(address) }
    }

    private func address(in element: Substring) -> String? {
        switch field {
        case .xForwardedFor: return Self.address(node: Self.trimmed(element))
        case .forwarded:
            let pairs = element.split(separator: ";").map { Self.trimmed($0) }
                .filter { $0.utf8.prefix(4).map { $0 | 0x20 } == Array("for=".utf8).map { $0 | 0x20 } }
            guard pairs.count == 1, var value = pairs.first?.dropFirst(4) else { return nil }
            if value.utf8.count >= 2, value.utf8.first == UInt8(ascii: "\""), value.utf8.last == UInt8(ascii: "\"") {
                value = value.dropFirst().dropLast()
            }
            return Self.address(node: value)
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let front = text.drop { $0 == " " || $0 == "\t" }
        return front.lastIndex { $0 != " " && $0 != "\t" }.map { front[...$0] } ?? ""
    }

    /// The address of `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`.
    private static func address(node: Substring) -> String? {
        if NetworkAddress(node) != nil { return String(node) }
        let host: Substring
        if node.utf8.first == UInt8(ascii: "["), let bracket = node.firstIndex(of: "]") {
            let rest = node[node.index(after: bracket)...]
            guard rest.isEmpty || rest.utf8.first == UInt8(ascii: ":") && isPort(rest.dropFirst()) else { return nil }
            host = node[..<bracket].dropFirst()
        } else if let colon = node.firstIndex(of: ":"), isPort(node[colon...].dropFirst()) {
            host = node[..<colon]
        } else {
            return nil
        }
        return NetworkAddress(host) == nil ? nil : String(host)
    }

    private static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// Says once that a proxy on this machine passes requests on which the settings do not name.
final class UnnamedProxyNotice: Sendable {
    private let logger: Logger
    private let isGiven = Atomic(false)

    init(_ logger: Logger) { self.logger = logger }

    func give() {
        guard !isGiven.exchange(true, ordering: .relaxed) else { return }
        logger.warning(
            "a proxy on this machine passes requests on and is none of trusted_proxies: no limit is kept by address, and the log has the proxy's"
        )
    }
}
