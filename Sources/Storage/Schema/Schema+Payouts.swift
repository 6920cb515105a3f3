import SQL

extension Schema {
    /// What merchants were paid, and the journal by merchant and time, which is what statements are read from.
    ///
    /// The journal's tables are made anew, because an entry may be about a payout instead of an order, which SQLite
    /// cannot be told of a table that exists. What PSPs paid merchants directly was not noted before, and cannot be
    /// made up for.
    static let payouts = Migration(
        name: "0010-payouts",
        text: """
            CREATE TABLE payout (
                id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
                merchant {text} NOT NULL REFERENCES merchant (id), currency {text} NOT NULL,
                amount {int} NOT NULL CHECK (amount > 0), paid_at {int} NOT NULL, reference {text} NOT NULL,
                origin {text} NOT NULL CHECK (origin IN ('operator', 'report')),
                state {text} NOT NULL CHECK (state IN ('paid', 'failed')), recorded_at {int} NOT NULL,
                failed_at {int}, failure {text},
                CONSTRAINT payout_reference UNIQUE (marketplace, reference),
                CHECK ((state = 'failed') = (failed_at IS NOT NULL)),
                CHECK ((state = 'failed') = (failure IS NOT NULL))
            ) {table};
            CREATE INDEX payout_by_merchant ON payout (marketplace, merchant, id);
            CREATE TABLE journal_entry_of_merchant (
                id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, merchant {text} NOT NULL,
                order_id {text}, payment_id {text}, operation_id {text}, dispute_id {text},
                payout_id {text} REFERENCES payout (id), kind {text} NOT NULL, currency {text} NOT NULL,
                at {int} NOT NULL,
                CONSTRAINT journal_entry_of_operation UNIQUE (operation_id, kind),
                CHECK ((order_id IS NULL) = (payment_id IS NULL)),
                CHECK ((order_id IS NULL) = (payout_id IS NOT NULL)),
                CHECK (CASE WHEN operation_id IS NULL THEN 0 ELSE 1 END + CASE WHEN dispute_id IS NULL THEN 0 ELSE 1 END
                    + CASE WHEN payout_id IS NULL THEN 0 ELSE 1 END = 1)
            ) {table};
            INSERT INTO journal_entry_of_merchant
                SELECT journal_entry.id, journal_entry.marketplace, payment.merchant, journal_entry.order_id,
                    journal_entry.payment_id, journal_entry.operation_id, journal_entry.dispute_id, NULL,
                    journal_entry.kind, journal_entry.currency, journal_entry.at
                FROM journal_entry JOIN payment ON payment.id = journal_entry.payment_id;
            CREATE TABLE posting_of_merchant (
                entry_id {text} NOT NULL REFERENCES journal_entry_of_merchant (id), position {int} NOT NULL,
                marketplace {text} NOT NULL, debit {text} NOT NULL, credit {text} NOT NULL,
                currency {text} NOT NULL, amount {int} NOT NULL CHECK (amount > 0),
                PRIMARY KEY (entry_id, position), CHECK (debit <> credit)
            ) {table};
            INSERT INTO posting_of_merchant
                SELECT entry_id, position, marketplace, debit, credit, currency, amount FROM posting;
            DROP TABLE posting;
            DROP TABLE journal_entry;
            ALTER TABLE journal_entry_of_merchant RENAME TO journal_entry;
            ALTER TABLE posting_of_merchant RENAME TO posting;
            CREATE INDEX journal_entry_by_order ON journal_entry (order_id);
            CREATE INDEX journal_entry_by_merchant ON journal_entry (marketplace, merchant, currency, at, id);
            CREATE UNIQUE INDEX journal_entry_of_payout ON journal_entry (payout_id, kind) WHERE payout_id IS NOT NULL;

            """
    )
}
