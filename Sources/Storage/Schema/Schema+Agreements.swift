extension Schema {
    /// Agreements under which merchants charge buyers who are away, and the secrets that they charge with.
    ///
    /// An agreement has its orders in `orders.agreement`: that of its first payment has no `charge_reason` there. Its row is
    /// written in the transaction of the step of the order that changes it, under its lock, which is taken behind the order's.
    /// `agreement_method` has a secret for each method that is in use or that the PSP still has to forget (`remove_at`), sealed
    /// with a key of the ring for its agreement; the row goes when the PSP has forgotten it.
    static let agreements = """
        CREATE TABLE agreement (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, merchant {text} NOT NULL,
            external_identifier {text} NOT NULL,
            type {text} NOT NULL CHECK (type IN ('recurring', 'automatic_reload', 'deferred')),
            currency {text} NOT NULL, bound {text} NOT NULL CHECK (bound IN ('fixed', 'maximum')),
            bound_amount {int} NOT NULL CHECK (bound_amount > 0), description {text} NOT NULL, reference {text},
            created_at {int} NOT NULL,
            state {text} NOT NULL CHECK (state IN ('pending', 'active', 'suspended', 'ending', 'ended')),
            suspension {text} CHECK (suspension IN ('method_missing', 'consent_revoked', 'method_unlinked')),
            first_order {text},
            first_open {int} NOT NULL CHECK (first_open IN (0, 1)), first_reference {text}, details {text} NOT NULL,
            announced {int} NOT NULL, version {int} NOT NULL, updated_at {int} NOT NULL,
            CHECK ((suspension IS NULL) = (state <> 'suspended'))
        ) {table};
        CREATE INDEX agreement_by_time ON agreement (marketplace, id);
        CREATE INDEX agreement_by_state ON agreement (state, id);
        CREATE TABLE agreement_method (
            id {text} NOT NULL PRIMARY KEY, agreement_id {text} NOT NULL REFERENCES agreement (id),
            marketplace {text} NOT NULL, kind {text} NOT NULL CHECK (kind IN ('psp_token', 'network_token')),
            psp_account {text} NOT NULL, merchant_account {text}, key_id {text} NOT NULL, sealed {bytes} NOT NULL,
            remove_at {int}, failures {int} NOT NULL DEFAULT 0, failure {text}, leased_by {text}, leased_until {int},
            CHECK ((leased_by IS NULL) = (leased_until IS NULL))
        ) {table};
        CREATE INDEX agreement_method_by_agreement ON agreement_method (agreement_id);
        CREATE INDEX agreement_method_due ON agreement_method (remove_at) WHERE remove_at IS NOT NULL;

        """
}
