import SQL

extension Schema {
    /// How many reconciliations of a marketplace came to count, so that one can tell that another was faster; and the
    /// lines that nothing explains yet.
    static let turns = Migration(
        name: "0015-reconciliation-turns",
        text: """
            ALTER TABLE reconciliation_turn ADD COLUMN number {int} NOT NULL DEFAULT 0;
            CREATE TABLE open_line (
                import_id {text} NOT NULL REFERENCES import_file (id), member {int} NOT NULL, line {int} NOT NULL,
                marketplace {text} NOT NULL, psp_account {text} NOT NULL,
                PRIMARY KEY (marketplace, psp_account, import_id, member, line)
            ) {table};
            CREATE INDEX open_line_by_import ON open_line (import_id, member, line);
            INSERT INTO open_line (import_id, member, line, marketplace, psp_account)
                SELECT l.import_id, l.member, l.line, l.marketplace, f.psp_account
                FROM settlement_line AS l JOIN import_file AS f ON f.id = l.import_id
                WHERE f.state = 'done' AND l.kind IN ('payment', 'refund', 'chargeback', 'chargeback_reversal')
                    AND NOT EXISTS (SELECT 1 FROM line_match AS m WHERE m.import_id = l.import_id
                        AND m.member = l.member AND m.line = l.line);

            """
    )
}
