package import Domain
package import SQL

/// PSP accounts whose credentials their PSP refuses: one row each, gone when the PSP takes them again.
package enum CredentialRefusalTable {
    /// Those of a marketplace, or of all, by account.
    ///
    /// - Throws: `SQLError`.
    package static func all(
        of marketplace: String? = nil,
        in session: any Session
    ) throws(SQLError) -> [CredentialRefusal] {
        let condition: SQL = marketplace.map { "WHERE marketplace = \($0)" } ?? ""
        let rows = try session.rows(
            "SELECT * FROM credential_refusal \(condition) ORDER BY marketplace, psp_account"
        )
        return try rows.map { row throws(SQLError) in
            CredentialRefusal(
                marketplace: try row.text("marketplace"),
                account: try row.text("psp_account"),
                objection: try row.word("objection"),
                call: try row.text("call"),
                status: Int(clamping: try row.integer("status")),
                code: try row.optionalText("code"),
                since: try row.time("since"),
                refusedAt: try row.time("refused_at")
            )
        }
    }

    /// Writes a refusal; one that is known goes on since when it began.
    ///
    /// - Throws: `SQLError`.
    package static func save(_ refusal: CredentialRefusal, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO credential_refusal (marketplace, psp_account, objection, call, status, code, since, refused_at)
            VALUES (\(refusal.marketplace), \(refusal.account), \(refusal.objection.rawValue), \(refusal.call),
                \(Int64(refusal.status)), \(refusal.code), \(refusal.since), \(refusal.refusedAt))
            ON CONFLICT (marketplace, psp_account) DO UPDATE SET objection = excluded.objection, call = excluded.call,
                status = excluded.status, code = excluded.code, refused_at = excluded.refused_at
            """
        )
    }

    /// Ends a refusal, unless somebody has heard of another one since it was read.
    ///
    /// - Throws: `SQLError`.
    package static func end(_ refusal: CredentialRefusal, in session: any Session) throws(SQLError) {
        try session.run(
            """
            DELETE FROM credential_refusal WHERE marketplace = \(refusal.marketplace)
                AND psp_account = \(refusal.account) AND refused_at = \(refusal.refusedAt)
            """
        )
    }
}
