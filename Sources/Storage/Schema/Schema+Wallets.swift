import SQL

extension Schema {
    /// What opens wallet tokens, which tokens were used, and what was seen of the hashes in them.
    static let wallets = Migration(
        name: "0006-wallets",
        text: """
            ALTER TABLE marketplace ADD COLUMN wallets {text} NOT NULL DEFAULT '{}';
            ALTER TABLE route ADD COLUMN apple_pay {text} NOT NULL DEFAULT 'open'
                CHECK (apple_pay IN ('open', 'pass_through'));
            CREATE TABLE wallet_token (
                wallet {text} NOT NULL, transaction_id {text} NOT NULL, marketplace {text} NOT NULL,
                order_id {text} NOT NULL, used_at {int} NOT NULL,
                CONSTRAINT wallet_token_once PRIMARY KEY (wallet, transaction_id)
            ) {table};
            CREATE INDEX wallet_token_by_order ON wallet_token (order_id);
            CREATE TABLE merchant_hash (
                marketplace {text} NOT NULL, hash {text} NOT NULL, merchant_identifier {text} NOT NULL,
                state {text} NOT NULL CHECK (state IN ('recorded', 'confirmed', 'rejected')),
                seen {int} NOT NULL, contradicted {int} NOT NULL, first_seen_at {int} NOT NULL,
                last_seen_at {int} NOT NULL, decided_at {int},
                PRIMARY KEY (marketplace, hash, merchant_identifier)
            ) {table};

            """
    )
}
