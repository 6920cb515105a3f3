import SQL

extension Schema {
    /// What happens to an order behind its checkout: refunds, disputes, other routes, requests under a key.
    ///
    /// The journal's tables are made anew, because an entry may be about a dispute instead of an operation, which
    /// SQLite cannot be told of a table that exists.
    static let life = Migration(
        name: "0007-life",
        text: """
            ALTER TABLE orders ADD COLUMN expiry_told {int} NOT NULL DEFAULT 0;
            ALTER TABLE orders ADD COLUMN wallet {text} CHECK (wallet IN ('apple_pay', 'google_pay'));
            ALTER TABLE payment ADD COLUMN alternatives {text} NOT NULL DEFAULT '[]';
            ALTER TABLE payment ADD COLUMN reroute {text} NOT NULL DEFAULT 'never'
                CHECK (reroute IN ('never', 'if_not_sent', 'if_refused'));
            ALTER TABLE operation ADD COLUMN refund_id {text};
            ALTER TABLE operation ADD COLUMN is_final {int} NOT NULL DEFAULT 1;
            ALTER TABLE operation ADD COLUMN commission {int};
            ALTER TABLE credential ADD COLUMN sealed_for {text};
            ALTER TABLE idempotency_key ADD COLUMN answer {bytes};
            ALTER TABLE idempotency_key ADD COLUMN refund_id {text};
            CREATE TABLE refund (
                id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL REFERENCES orders (id),
                position {int} NOT NULL, marketplace {text} NOT NULL, items {text} NOT NULL,
                amount {int} NOT NULL CHECK (amount > 0),
                borne_by {text} NOT NULL CHECK (borne_by IN ('merchant', 'marketplace')), reason {text} NOT NULL,
                created_at {int} NOT NULL
            ) {table};
            CREATE INDEX refund_by_order ON refund (order_id);
            CREATE TABLE dispute (
                id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL REFERENCES orders (id),
                payment_id {text} NOT NULL, position {int} NOT NULL, marketplace {text} NOT NULL,
                attempt_id {text} NOT NULL, reference {text} NOT NULL,
                state {text} NOT NULL CHECK (state IN ('opened', 'won', 'lost')),
                amount {int} NOT NULL CHECK (amount >= 0), reason {text}, respond_by {int}, state_at {int},
                heard_at {int} NOT NULL, CONSTRAINT dispute_once UNIQUE (attempt_id, reference)
            ) {table};
            CREATE INDEX dispute_by_order ON dispute (order_id);
            CREATE TABLE journal_entry_of_effect (
                id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, order_id {text} NOT NULL,
                payment_id {text} NOT NULL, operation_id {text}, dispute_id {text}, kind {text} NOT NULL,
                currency {text} NOT NULL, at {int} NOT NULL,
                CONSTRAINT journal_entry_once UNIQUE (operation_id, kind),
                CHECK ((operation_id IS NULL) <> (dispute_id IS NULL))
            ) {table};
            INSERT INTO journal_entry_of_effect
                SELECT id, marketplace, order_id, payment_id, operation_id, NULL, kind, currency, at
                FROM journal_entry;
            CREATE TABLE posting_of_entry (
                entry_id {text} NOT NULL REFERENCES journal_entry_of_effect (id), position {int} NOT NULL,
                marketplace {text} NOT NULL, debit {text} NOT NULL, credit {text} NOT NULL,
                currency {text} NOT NULL, amount {int} NOT NULL CHECK (amount > 0),
                PRIMARY KEY (entry_id, position), CHECK (debit <> credit)
            ) {table};
            INSERT INTO posting_of_entry
                SELECT entry_id, position, marketplace, debit, credit, currency, amount FROM posting;
            DROP TABLE posting;
            DROP TABLE journal_entry;
            ALTER TABLE journal_entry_of_effect RENAME TO journal_entry;
            ALTER TABLE posting_of_entry RENAME TO posting;
            CREATE INDEX journal_entry_by_order ON journal_entry (order_id);

            """
    )
}
