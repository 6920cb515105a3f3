extension Schema {
    /// What merchants were paid, how far their payouts in a currency have been told, and what each was told to pay for.
    static let payouts = """
        CREATE TABLE payout (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            merchant {text} NOT NULL REFERENCES merchant (id), currency {text} NOT NULL,
            amount {int where VALUE > 0} NOT NULL, paid_at {int} NOT NULL, reference {text} NOT NULL,
            origin {text where VALUE IN ('operator', 'report')} NOT NULL,
            state {text where VALUE IN ('paid', 'failed')} NOT NULL, covers {text}, recorded_at {int} NOT NULL,
            failed_at {int}, failure {text},
            CONSTRAINT payout_reference UNIQUE (marketplace, reference),
            CHECK ((state = 'failed') = (failed_at IS NOT NULL)),
            CHECK ((state = 'failed') = (failure IS NOT NULL))
        ) {table};
        CREATE INDEX payout_by_merchant ON payout (marketplace, merchant, id);
        CREATE INDEX payout_by_time ON payout (marketplace, id);
        CREATE INDEX payout_failed ON payout (marketplace, failed_at) WHERE failed_at IS NOT NULL;
        CREATE TABLE payout_series (
            marketplace {text} NOT NULL REFERENCES marketplace (id),
            merchant {text} NOT NULL REFERENCES merchant (id), currency {text} NOT NULL,
            told {int where VALUE > 0} NOT NULL, covered_to {int} NOT NULL, closing {int},
            PRIMARY KEY (marketplace, merchant, currency)
        ) {table};

        """
}
