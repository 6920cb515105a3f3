package import Domain
package import HTTPTypes

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

    /// Who asks over a connection that comes from `peer`.
    ///
    /// Each proxy adds, at the end, whom it heard. So the field is read from its end, as long as whoever speaks is trusted:
    /// the last address that is not trusted is the client's, and what stands before it anybody may have written. Where it
    /// cannot be read on, the address found last counts.
    package func client(of headers: HTTPFields, from peer: String?) -> String? {
        guard !ranges.isEmpty, let peer, isTrusted(peer), let name = HTTPField.Name(field.rawValue) else { return peer }
        let elements = headers[values: name].flatMap { value in
            // A value that is not looked at leaves an element that cannot be read.
            (value.boundedASCII ?? "").split(separator: ",", omittingEmptySubsequences: false)
        }
        var client = peer
        for element in elements.reversed() {
            guard isTrusted(client), let next = address(in: element) else { break }
            client = next
        }
        return client
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
                .filter { $0.prefix(4).lowercased() == "for=" }
            guard pairs.count == 1, var value = pairs.first?.dropFirst(4) else { return nil }
            if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
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
        if node.hasPrefix("["), let bracket = node.firstIndex(of: "]") {
            let rest = node[node.index(after: bracket)...]
            guard rest.isEmpty || rest.hasPrefix(":") && isPort(rest.dropFirst()) else { return nil }
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
