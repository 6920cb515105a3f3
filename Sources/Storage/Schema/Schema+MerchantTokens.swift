extension Schema {
    /// Apple's merchant tokens behind agreements, and what Apple announced of them.
    ///
    /// `merchant_token` has a row for each token of an agreement (`details` there has the rest) as long as Apple may tell something
    /// of it, or is to unlink it (`unlink_at`). `merchant_token_notice` has each announced event once, by the merchant whose
    /// address it came to, until it was fetched and applied, or is given up. Neither has a number of a card or a token.
    static let merchantTokens = """
        CREATE TABLE merchant_token (
            agreement_id {text} NOT NULL REFERENCES agreement (id), identifier {text} NOT NULL,
            marketplace {text} NOT NULL, merchant {text} NOT NULL, unlink_at {int},
            failures {int} NOT NULL DEFAULT 0, failure {text}, leased_by {text}, leased_until {int},
            PRIMARY KEY (agreement_id, identifier), CHECK ((leased_by IS NULL) = (leased_until IS NULL))
        ) {table};
        CREATE INDEX merchant_token_by_identifier ON merchant_token (marketplace, identifier);
        CREATE INDEX merchant_token_due ON merchant_token (unlink_at) WHERE unlink_at IS NOT NULL;
        CREATE TABLE merchant_token_notice (
            merchant {text} NOT NULL, event_id {text} NOT NULL, marketplace {text} NOT NULL,
            announced_at {int} NOT NULL,
            state {text where VALUE IN ('announced', 'applied', 'ignored', 'unrelated', 'refused', 'given_up')} NOT NULL,
            type {text}, due_at {int}, failures {int} NOT NULL DEFAULT 0, failure {text},
            settled_at {int}, leased_by {text}, leased_until {int}, PRIMARY KEY (merchant, event_id),
            CHECK ((due_at IS NULL) = (settled_at IS NOT NULL)),
            CHECK ((settled_at IS NULL) = (state = 'announced')),
            CHECK ((leased_by IS NULL) = (leased_until IS NULL))
        ) {table};
        CREATE INDEX merchant_token_notice_due ON merchant_token_notice (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX merchant_token_notice_waiting ON merchant_token_notice (merchant) WHERE due_at IS NOT NULL;
        CREATE INDEX merchant_token_notice_settled ON merchant_token_notice (settled_at)
            WHERE settled_at IS NOT NULL;

        """
}
