package import Domain
package import SQL

/// The secrets that charges under agreements are paid with, sealed, and which of them PSPs still have to forget.
package enum AgreementMethodTable {
    /// A secret as it is stored.
    package struct Entry: Hashable, Sendable {
        /// Its method.
        package let id: StoredMethodID
        /// The agreement that it is sealed for.
        package let agreement: AgreementID
        /// The marketplace.
        package let marketplace: String
        /// What it is.
        package let kind: AgreementMethod.Kind
        /// The PSP account that made it.
        package let pspAccount: String
        /// The submerchant's account there.
        package let merchantAccount: String?
        /// The sealed bytes.
        package let sealed: CredentialTable.Sealed
        /// How many times its removal was tried in vain.
        package var failures: Int64

        /// Makes an entry of what is in use.
        package init(
            _ method: AgreementMethod,
            of agreement: Agreement,
            sealed: CredentialTable.Sealed
        ) {
            id = method.id
            self.agreement = agreement.id
            marketplace = agreement.marketplace
            kind = method.kind
            pspAccount = method.route.pspAccount
            merchantAccount = method.route.merchantAccount
            self.sealed = sealed
            failures = 0
        }

        fileprivate init(_ row: Row) throws(SQLError) {
            id = try row.identifier("id")
            agreement = try row.identifier("agreement_id")
            marketplace = try row.text("marketplace")
            kind = try row.word("kind")
            pspAccount = try row.text("psp_account")
            merchantAccount = try row.optionalText("merchant_account")
            sealed = CredentialTable.Sealed(keyID: try row.text("key_id"), bytes: try row.bytes("sealed"))
            failures = try row.integer("failures")
        }
    }

    /// What a secret is sealed for: it can be opened as nothing else.
    package static func context(of id: StoredMethodID, _ agreement: AgreementID) -> String {
        "agreement/\(agreement)/\(id)"
    }

    /// Stores a secret.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func insert(_ entry: Entry, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO agreement_method (id, agreement_id, marketplace, kind, psp_account, merchant_account, key_id, sealed)
            VALUES (\(entry.id), \(entry.agreement), \(entry.marketplace), \(entry.kind.rawValue), \(entry.pspAccount),
                \(entry.merchantAccount), \(entry.sealed.keyID), \(entry.sealed.bytes))
            """
        )
    }

    /// The secret of a method; nil once it is erased.
    ///
    /// - Throws: `SQLError`.
    package static func find(_ id: StoredMethodID, in session: any Session) throws(SQLError) -> Entry? {
        try session.rows("SELECT * FROM agreement_method WHERE id = \(id)").first.map { row throws(SQLError) in
            try Entry(row)
        }
    }

    /// Has the PSP forget methods from now on.
    ///
    /// - Throws: `SQLError`.
    package static func remove(_ ids: [StoredMethodID], at now: Timestamp, in session: any Session) throws(SQLError) {
        guard !ids.isEmpty else { return }
        try session.run(
            """
            UPDATE agreement_method SET remove_at = \(now)
            WHERE id IN (\(list: ids.map(\.sqlValue))) AND remove_at IS NULL
            """
        )
    }

    /// Takes removals in hand that are due and that nobody has in hand, the longest due first.
    ///
    /// - Parameters:
    ///   - instance: who takes them.
    ///   - now: the moment.
    ///   - until: when they are free again.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: what is to be removed.
    /// - Throws: `SQLError`.
    package static func claim(
        by instance: String,
        at now: Timestamp,
        until: Timestamp,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Entry] {
        let rows = try session.rows(
            """
            SELECT * FROM agreement_method WHERE remove_at <= \(now) AND COALESCE(leased_until, 0) <= \(now)
            ORDER BY remove_at LIMIT \(Int64(limit))
            """
        )
        var claimed: [Entry] = []
        for row in rows {
            let entry = try Entry(row)
            let count = try session.change(
                """
                UPDATE agreement_method SET leased_by = \(instance), leased_until = \(until)
                WHERE id = \(entry.id) AND COALESCE(leased_until, 0) <= \(now)
                """
            )
            if count == 1 { claimed.append(entry) }
        }
        return claimed
    }

    /// Whether a removal is due, whoever has it in hand.
    ///
    /// - Throws: `SQLError`.
    package static func isDue(at now: Timestamp, in session: any Session) throws(SQLError) -> Bool {
        try !session.rows("SELECT id FROM agreement_method WHERE remove_at <= \(now) LIMIT 1").isEmpty
    }

    /// Puts a removal off that has failed.
    ///
    /// - Throws: `SQLError`.
    package static func postpone(
        _ id: StoredMethodID,
        until: Timestamp,
        because reason: String,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE agreement_method SET remove_at = \(until), failures = failures + 1, failure = \(reason),
                leased_by = NULL, leased_until = NULL
            WHERE id = \(id)
            """
        )
    }

    /// Puts another secret in the place of one.
    ///
    /// - Throws: `SQLError`.
    package static func replace(
        _ id: StoredMethodID,
        with sealed: CredentialTable.Sealed,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            "UPDATE agreement_method SET key_id = \(sealed.keyID), sealed = \(sealed.bytes) WHERE id = \(id)"
        )
    }

    /// Erases secrets.
    ///
    /// - Throws: `SQLError`.
    package static func erase(_ ids: [StoredMethodID], in session: any Session) throws(SQLError) {
        guard !ids.isEmpty else { return }
        try session.run("DELETE FROM agreement_method WHERE id IN (\(list: ids.map(\.sqlValue)))")
    }

    /// Why removals of an agreement's methods were tried in vain, the latest reason of each.
    ///
    /// - Throws: `SQLError`.
    package static func failures(of id: AgreementID, in session: any Session) throws(SQLError) -> [String] {
        try session.rows(
            "SELECT failure FROM agreement_method WHERE agreement_id = \(id) AND failure IS NOT NULL ORDER BY id"
        ).map { row throws(SQLError) in try row.text("failure") }
    }
}
