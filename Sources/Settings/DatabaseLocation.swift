package import Domain

/// Which database holds the books.
package enum DatabaseLocation: Hashable, Sendable, CustomStringConvertible {
    /// The embedded database in a file; a relative path starts at the working directory.
    case sqlite(path: String)
    /// A PostgreSQL server, by a URL as libpq reads it, password included.
    case postgres(url: Secret)

    /// Reads `sqlite:PATH`, `postgres://…` or `postgresql://…`; nil for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("sqlite:"), text.utf8.count > 7 {
            self = .sqlite(path: String(text.dropFirst(7)))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(url: Secret(text))
        } else {
            return nil
        }
    }

    /// The engine and, for a file, its path; never a password.
    package var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres(let url): "postgres://\(url)"
        }
    }

    /// Whether the text of a URL carries a password.
    static func hasPassword(_ text: String) -> Bool {
        guard text.hasPrefix("postgres"), let start = text.firstRange(of: "://")?.upperBound else { return false }
        let userinfo = text[start...].prefix { $0 != "/" && $0 != "?" }.split(separator: "@").dropLast().first ?? ""
        return userinfo.contains(":") || text.contains("password=")
    }
}

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
