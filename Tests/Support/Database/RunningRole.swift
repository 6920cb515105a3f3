import PostgresDatabase
package import SQL
import Storage

/// A role of PostgreSQL's that owns nothing and may do what serving needs, as `migrate --print-grants` has it.
package enum RunningRole {
    /// The database is none of PostgreSQL's.
    package struct NoRoles: Error {}

    /// Lends a database of the tests' own to a new role, and drops the role afterwards.
    ///
    /// - Parameters:
    ///   - owner: the database, as its owner sees it.
    ///   - body: given the database as the role sees it, and the role's name.
    /// - Throws: `SQLError`, ``NoRoles``, and what `body` throws.
    package static func with(
        _ owner: any Database,
        _ body: (_ database: any Database, _ role: String) async throws -> Void
    ) async throws {
        guard let postgres = owner as? PostgresDatabase else { throw NoRoles() }
        let role = "role_" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await owner.write { session in
            try session.run(SQL(stringLiteral: "CREATE ROLE \(role) LOGIN PASSWORD '\(role)'"))
            let schema = try RoleRights.schema(in: session)
            // What everybody may call by default would hide a function that the grants lack.
            try session.run(SQL(stringLiteral: "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA \(schema) FROM PUBLIC"))
            for statement in RoleRights.grants(to: role, in: schema) where !["BEGIN;", "COMMIT;"].contains(statement) {
                try session.run(SQL(stringLiteral: statement))
            }
        }
        let database = try PostgresDatabase(url: url(of: role, like: postgres.url.text), connections: 4)
        let result: Result<Void, any Error>
        do { result = .success(try await body(database, role)) } catch { result = .failure(error) }
        await database.close()
        try await owner.write { session in
            try session.run(SQL(stringLiteral: "DROP OWNED BY \(role)"))
            try session.run(SQL(stringLiteral: "DROP ROLE \(role)"))
        }
        try result.get()
    }

    /// The URL of the same database with another user, whose password is its name.
    private static func url(of role: String, like url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        let place = rest.split(separator: "@", maxSplits: 1).last ?? rest
        return "\(url[..<scheme.upperBound])\(role):\(role)@\(place)"
    }
}
