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

/// A host in the only spelling in which it is taken from a stranger.
enum VettedHost: Hashable, Sendable {
    /// A name in lower case, as it is looked up.
    case name(String)
    /// An address.
    case address(IPAddress)

    private static let nameLimitBytes = 253
    private static let labelLimitBytes = 63

    /// Reads the host of a URL, with its brackets if it has some.
    ///
    /// - Throws: ``DestinationRefusal/host``.
    init(_ text: Substring) throws(DestinationRefusal) {
        if text.hasPrefix("["), text.hasSuffix("]") {
            guard case .v6(let number) = IPAddress(String(text.dropFirst().dropLast())) else { throw .host }
            self = .address(.v6(number))
        } else if case .v4(let number) = IPAddress(String(text)) {
            self = .address(.v4(number))
        } else {
            guard Self.isPlainName(text) else { throw .host }
            self = .name(text.lowercased())
        }
    }

    /// Whether the host is this machine, whatever a name server says.
    var isLoopback: Bool { knownAddress.map { SpecialRange.containing($0) == .loopback } ?? false }

    /// The address, where it is known without looking it up.
    ///
    /// RFC 6761, 6.3 keeps `localhost` and the names below it for this machine; libcurl never looks them up.
    var knownAddress: IPAddress? {
        switch self {
        case .address(let address): address
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost") ? .v4(0x7F00_0001) : nil
        }
    }

    /// Labels of letters, digits, hyphens and underscores (RFC 1123, 2.1, and what name servers serve besides).
    ///
    /// A last label that begins with a digit belongs to no domain (RFC 3696, 2), but to an address in octal,
    /// hexadecimal, short or whole form.
    private static func isPlainName(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= nameLimitBytes, labels.allSatisfy(isPlainLabel), let first = labels.last?.utf8.first
        else { return false }
        return !isDigit(first)
    }

    private static func isPlainLabel(_ label: Substring) -> Bool {
        (1...labelLimitBytes).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: isDigit(byte)
                }
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
