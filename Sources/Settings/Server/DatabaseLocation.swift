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
