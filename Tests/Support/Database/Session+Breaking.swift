package import SQL

/// Doing to the books what no gateway can.
extension Session {
    /// Switches off what keeps the audit trail from being changed, as whoever owns its table can.
    ///
    /// - Throws: `SQLError`.
    package func letAuditTrailBeChanged() throws(SQLError) {
        if dialect == .postgres {
            try run("ALTER TABLE audit_entry DISABLE TRIGGER USER")
        } else {
            try run("DROP TRIGGER IF EXISTS audit_entry_not_changed")
            try run("DROP TRIGGER IF EXISTS audit_entry_not_deleted")
        }
    }

    /// Switches off, until the transaction is rolled back, what keeps the journal and what led to it from being changed.
    ///
    /// - Throws: `SQLError`.
    package func letJournalBeChanged() throws(SQLError) {
        if dialect == .postgres {
            for table in ["journal_entry", "order_step"] {
                try run("ALTER TABLE \(unsafeText: table) DISABLE TRIGGER USER")
            }
            try run("ALTER DOMAIN journal_postings DROP CONSTRAINT journal_entry_balances")
        } else {
            let triggers = [
                "journal_entry_not_changed", "journal_entry_not_deleted", "order_step_not_changed",
                "order_step_not_deleted",
            ]
            for trigger in triggers { try run("DROP TRIGGER \(unsafeText: trigger)") }
        }
    }
}
