import SQL
import SQLiteDatabase
import Settings
import Storage

/// Looks at who may do what with the database, beside what serving needs.
struct RightsCheck {
    private static let namesShown = 3

    private let location: DatabaseLocation

    init(_ location: DatabaseLocation) { self.location = location }

    /// What is wrong: of a file who may read it; of PostgreSQL what the role may do that it need not, and cannot that it must.
    ///
    /// - Throws: `SQLError`.
    func findings(_ database: any Database) async throws -> [DoctorFinding] {
        if case .sqlite(let path) = location {
            return SQLiteFileModes.filesOpenToOthers(of: path).map { file in
                .warning("database", "others than its owner may read or write \(file); run `chmod 600 \(file)`")
            }
        }
        let found = try await database.read { session in try RoleRights.findings(in: session) }
        return found.map(Self.findings) ?? []
    }

    static func findings(_ found: RoleRights.Findings) -> [DoctorFinding] {
        let advice = "serve as a role of its own (`tributary migrate --print-grants`)"
        var findings: [DoctorFinding] = []
        if found.isSuperuser {
            findings.append(.warning("database", "the role \(found.role) is a superuser; \(advice)"))
        } else if !found.owned.isEmpty {
            let sentence =
                "the role \(found.role) owns \(names(found.owned)) and can switch off what keeps the books from being changed; "
                + advice
            findings.append(.warning("database", sentence))
        }
        if !found.missing.isEmpty {
            let sentence =
                "the role \(found.role) lacks \(names(found.missing)); run what `tributary migrate --print-grants --role "
                + "\(found.role)` prints as the owner of the tables"
            findings.append(.error("database", sentence))
        }
        return findings
    }

    private static func names(_ all: [String]) -> String {
        let shown = all.prefix(namesShown).joined(separator: ", ")
        return all.count > namesShown ? "\(shown) and \(all.count - namesShown) more" : shown
    }
}
