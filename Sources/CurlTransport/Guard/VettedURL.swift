/// A URL that a stranger named, read by a grammar so narrow that no two readers of URLs disagree about it.
struct VettedURL: Hashable, Sendable {
    let host: VettedHost
    let port: UInt16
    let isPlain: Bool

    private static let lengthLimitBytes = 2_048

    /// - Throws: the first rule that the URL breaks.
    init(_ url: String, under policy: AddressPolicy) throws(DestinationRefusal) {
        guard url.utf8.count <= Self.lengthLimitBytes, url.utf8.allSatisfy(Self.isPlainByte) else { throw .characters }
        let (isPlain, rest) = try Self.scheme(of: url)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { throw .credentials }
        let (hostText, portText) = try Self.split(authority)
        host = try VettedHost(hostText)
        let mayBeHere = policy.allowsLoopback && host.isLoopback
        guard !isPlain || mayBeHere else { throw .scheme }
        port = try Self.port(portText, isPlain: isPlain)
        guard mayBeHere || policy.ports.contains(port) else { throw .port }
        self.isPlain = isPlain
        let addressGuard = AddressGuard(policy, isPlain: isPlain)
        if let refusal = host.knownAddress.flatMap(addressGuard.refusal) { throw refusal }
    }

    /// Visible ASCII but for what RFC 3986 has no place for; the backslash is what readers disagree on most.
    private static func isPlainByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !#""<>\^`{|}"#.utf8.contains(byte)
    }

    private static func scheme(of url: String) throws(DestinationRefusal) -> (isPlain: Bool, rest: Substring) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { throw .scheme }
        let rest = url[colon...].dropFirst(3)
        switch url[..<colon].lowercased() {
        case "https": return (false, rest)
        case "http": return (true, rest)
        default: throw .scheme
        }
    }

    /// Host and port; nil for no port.
    private static func split(
        _ authority: Substring
    ) throws(DestinationRefusal) -> (host: Substring, port: Substring?) {
        let hostEnd: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw .host }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let rest = authority[hostEnd...]
        guard rest.isEmpty || rest.hasPrefix(":") else { throw .host }
        return (authority[..<hostEnd], rest.isEmpty ? nil : rest.dropFirst())
    }

    private static func port(_ text: Substring?, isPlain: Bool) throws(DestinationRefusal) -> UInt16 {
        guard let text else { return isPlain ? 80 : 443 }
        guard let port = UInt16(text), port > 0, String(port) == text else { throw .port }
        return port
    }
}
