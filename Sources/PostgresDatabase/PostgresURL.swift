import CPostgres
package import SQL

/// Where a PostgreSQL database is and how to sign in, checked by libpq's own reading.
///
/// The text may hold a password; the description never does.
package struct PostgresURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL as given.
    package let text: String
    /// The hosts and host addresses it names; empty for the local socket.
    package let hosts: [String]
    /// The database it names; empty for the user's own.
    package let database: String

    /// Reads a URL: `postgres://user:password@host:port/database?option=value`.
    ///
    /// - Throws: ``SQLError/broken(_:)``, which says nothing of the text, since that may hold a password.
    package init(_ text: String) throws(SQLError) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            throw .broken("a PostgreSQL URL begins with postgres://")
        }
        guard let options = unsafe PQconninfoParse(text, nil) else {
            throw .broken("the PostgreSQL URL cannot be read")
        }
        defer { unsafe PQconninfoFree(options) }
        var hosts: [String] = []
        var database = ""
        // An `@` in a password that is not percent-encoded would make the rest of it a host's name.
        var isReadable = text.count { $0 == "@" } <= 1
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                switch unsafe String(cString: keyword) {
                case "host", "hostaddr": hosts += unsafe String(cString: value).split(separator: ",").map(String.init)
                case "dbname": database = unsafe String(cString: value)
                case "port":
                    isReadable = unsafe isReadable && String(cString: value).allSatisfy { "0123456789,".contains($0) }
                default: break
                }
            }
            unsafe next += 1
        }
        guard isReadable else { throw .broken("the PostgreSQL URL cannot be read") }
        self.text = text
        self.hosts = hosts
        self.database = database
    }

    /// Whether every host it names is this machine's loopback interface.
    package var isLoopback: Bool {
        !hosts.isEmpty && hosts.allSatisfy { ["127.0.0.1", "::1", "localhost"].contains($0) }
    }

    /// The same server and user, another database; its name must need no percent-encoding.
    ///
    /// - Throws: ``SQLError/broken(_:)`` if the name does.
    package func naming(database: String) throws(SQLError) -> PostgresURL {
        guard let scheme = text.firstRange(of: "://") else { throw .broken("the PostgreSQL URL cannot be read") }
        let place = text[scheme.upperBound...]
        let query = place.firstIndex(of: "?").map { place[$0...] } ?? ""
        let authority = place.prefix { $0 != "/" && $0 != "?" }
        return try PostgresURL(text[..<scheme.upperBound] + authority + "/" + database + query)
    }

    package var description: String { "PostgreSQL database \(database) at \(hosts.joined(separator: ","))" }
}
