/// Where the outside reaches a server: scheme, host and perhaps a path, without a slash at the end.
package struct PublicURL: Hashable, Sendable {
    /// What a text has to be.
    static let expected = "https:// or http:// and a host, perhaps with a port and a path, without query and user"

    /// The text.
    package let text: String

    /// Reads a URL; nil for anything else.
    package init?(_ text: String) {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let isPlain = rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Self.refused.contains($0) }
        guard isPlain, let first = rest.first, first != "/", first != ":" else { return nil }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private static let refused = Set("?#@\\\"<>".utf8)
}
