package import Domain
package import SQL
import StrictJSON

/// PSP accounts.
///
/// Their credentials are references; the credentials themselves are never stored.
package enum PSPAccountTable {
    /// The statement that ``read(_:)`` needs the answer of, for all accounts of a marketplace.
    package static func all(of marketplace: String) -> SQL {
        "SELECT * FROM psp_account WHERE marketplace = \(marketplace) ORDER BY id"
    }

    /// Makes accounts of the answer.
    package static func read(_ rows: [Row]) throws(SQLError) -> [PSPAccount] {
        var accounts: [PSPAccount] = []
        for row in rows {
            var credentials: [String: String] = [:]
            let document = try? JSON.parse(text: try row.text("credentials"))
            for member in document?.objectValue ?? [] { credentials[member.key] = member.value.stringValue }
            accounts.append(
                PSPAccount(
                    marketplace: try row.text("marketplace"),
                    id: try row.text("id"),
                    psp: try row.text("psp"),
                    baseURL: try row.text("base_url"),
                    credentials: credentials,
                    status: try row.word("status"),
                    updatedAt: try row.time("updated_at")
                )
            )
        }
        return accounts
    }

    /// The account with that name.
    package static func find(
        _ id: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> PSPAccount? {
        try read(session.rows("SELECT * FROM psp_account WHERE marketplace = \(marketplace) AND id = \(id)")).first
    }

    /// The accounts with that name at a PSP, one a marketplace at most.
    package static func find(_ id: String, at psp: String, in session: any Session) throws(SQLError) -> [PSPAccount] {
        try read(
            session.rows("SELECT * FROM psp_account WHERE id = \(id) AND psp = \(psp) ORDER BY marketplace")
        )
    }

    /// Writes an account, new or changed.
    package static func save(_ account: PSPAccount, in session: any Session) throws(SQLError) {
        let references = JSON.object(
            account.credentials.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }
        )
        try session.run(
            """
            INSERT INTO psp_account (marketplace, id, psp, base_url, credentials, status, updated_at)
            VALUES (\(account.marketplace), \(account.id), \(account.psp), \(account.baseURL), \(references.text),
                \(account.status.rawValue), \(account.updatedAt))
            ON CONFLICT (marketplace, id) DO UPDATE SET psp = excluded.psp, base_url = excluded.base_url,
                credentials = excluded.credentials, status = excluded.status, updated_at = excluded.updated_at
            """
        )
    }
}
