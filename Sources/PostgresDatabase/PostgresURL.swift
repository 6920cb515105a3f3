import CPostgres
import Glibc
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

    /// How what is said on the way to the server is kept from others.
    package enum Protection: Hashable, Sendable {
        /// It does not leave this machine.
        case local
        /// By TLS; whether the server's certificate is verified is the URL's to say (`sslmode=verify-full`).
        case encrypted
        /// By nothing, as the URL says: `sslmode=disable`.
        case none
        /// By nothing, unless the server likes to; nobody said that this is meant.
        case unsaid
    }

    /// How it is protected.
    package let protection: Protection

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
        var mode: String?
        var isElsewhere = false
        // An `@` in a password that is not percent-encoded would make the rest of it a host's name.
        var isReadable = text.count { $0 == "@" } <= 1
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                switch unsafe String(cString: keyword) {
                case "host", "hostaddr": hosts += unsafe String(cString: value).split(separator: ",").map(String.init)
                case "sslmode": mode = unsafe String(cString: value)
                case "service": isElsewhere = true
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
        protection = Self.protection(of: hosts, isElsewhere: isElsewhere, mode: mode)
    }

    /// A name that begins with a slash is a socket's folder; what the URL leaves out, the environment may say.
    private static func protection(of hosts: [String], isElsewhere: Bool, mode: String?) -> Protection {
        let named = hosts.isEmpty ? ["PGHOST", "PGHOSTADDR"].compactMap(environment) : hosts
        let isElsewhere = isElsewhere || environment("PGSERVICE") != nil && hosts.isEmpty
        if !isElsewhere, named.allSatisfy({ $0.hasPrefix("/") || loopback.contains($0) }) { return .local }
        return switch mode ?? environment("PGSSLMODE") {
        case "require", "verify-ca", "verify-full": .encrypted
        case "disable" where mode != nil: .none
        default: .unsaid
        }
    }

    private static let loopback = ["127.0.0.1", "::1", "localhost"]

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Refuses to send what a database is told over a network in the clear unless that is said.
    ///
    /// - Throws: ``SQLError/broken(_:)`` with what to write.
    package func requireProtection() throws(SQLError) {
        guard protection == .unsaid else { return }
        throw .broken(
            "the connection to PostgreSQL leaves this machine and need not be encrypted: add sslmode=verify-full "
                + "(and sslrootcert) to the URL, or sslmode=disable if the network is yours alone"
        )
    }

    /// Whether every host it names is this machine's loopback interface.
    package var isLoopback: Bool {
        !hosts.isEmpty && hosts.allSatisfy { Self.loopback.contains($0) }
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
