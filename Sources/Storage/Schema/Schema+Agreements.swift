extension Schema {
    /// Agreements under which merchants charge buyers who are away, and the secrets that they charge with.
    ///
    /// An agreement has its orders in `orders.agreement`: that of its first payment has no `charge_reason` there. Its row is
    /// written in the transaction of the step of the order that changes it, under its lock, which is taken behind the order's.
    /// `ask_at` is when its PSP is asked after the method of the first payment, which no reply told, in real time.
    /// `agreement_event` has what others are told of it, each under the identifiers of its two callbacks, for the feed of events.
    /// `agreement_method` has a secret for each method that is in use or that the PSP still has to forget (`remove_at`), sealed
    /// with a key of the ring for its agreement; the row goes when the PSP has forgotten it.
    static let agreements = """
        CREATE TABLE agreement (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, merchant {text} NOT NULL,
            external_identifier {text} NOT NULL,
            type {text where VALUE IN ('recurring', 'automatic_reload', 'deferred')} NOT NULL,
            currency {text} NOT NULL, bound {text where VALUE IN ('fixed', 'maximum')} NOT NULL,
            bound_amount {int where VALUE > 0} NOT NULL, description {text} NOT NULL, reference {text},
            created_at {int} NOT NULL,
            state {text where VALUE IN ('pending', 'active', 'suspended', 'ending', 'ended')} NOT NULL,
            suspension {text where VALUE IN ('method_missing', 'consent_revoked', 'method_unlinked')},
            first_order {text},
            first_open {int where VALUE IN (0, 1)} NOT NULL, first_reference {text}, details {text} NOT NULL,
            ask_at {int},
            announced {int} NOT NULL, version {int} NOT NULL, updated_at {int} NOT NULL,
            CHECK ((suspension IS NULL) = (state <> 'suspended'))
        ) {table};
        CREATE INDEX agreement_by_time ON agreement (marketplace, id);
        CREATE INDEX agreement_by_state ON agreement (state, id);
        CREATE INDEX agreement_to_ask ON agreement (ask_at) WHERE ask_at IS NOT NULL;
        CREATE TABLE agreement_event (
            agreement_id {text} NOT NULL REFERENCES agreement (id), sequence {int} NOT NULL, marketplace {text} NOT NULL,
            merchant {text} NOT NULL, type {text} NOT NULL, at {int} NOT NULL, told_marketplace {text} NOT NULL UNIQUE,
            told_merchant {text} NOT NULL UNIQUE, PRIMARY KEY (agreement_id, sequence)
        ) {table};
        CREATE INDEX agreement_event_by_time ON agreement_event (marketplace, at, agreement_id, sequence);
        CREATE TABLE agreement_method (
            id {text} NOT NULL PRIMARY KEY, agreement_id {text} NOT NULL REFERENCES agreement (id),
            marketplace {text} NOT NULL, kind {text where VALUE IN ('psp_token', 'network_token')} NOT NULL,
            psp_account {text} NOT NULL, merchant_account {text}, key_id {text} NOT NULL, sealed {bytes} NOT NULL,
            remove_at {int}, failures {int} NOT NULL DEFAULT 0, failure {text}, leased_by {text}, leased_until {int},
            CHECK ((leased_by IS NULL) = (leased_until IS NULL))
        ) {table};
        CREATE INDEX agreement_method_by_agreement ON agreement_method (agreement_id);
        CREATE INDEX agreement_method_due ON agreement_method (remove_at) WHERE remove_at IS NOT NULL;

        """
}
