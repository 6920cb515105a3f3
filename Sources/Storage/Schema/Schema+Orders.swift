extension Schema {
    /// Orders, their payments, attempts and operations, what is asked of a captured payment (refunds, disputes), the history
    /// (a row for each step, with what PSPs said and what happened) and what waits for a person (attention).
    ///
    /// Rows that are worked on carry `held_until`, which keeps one that is reserved or has failed out of the others' way;
    /// each PSP account has a queue of its own. An operation says when it was last sent, because absence at a PSP is
    /// believed by time, and when its effect was posted, so that effects can be read by PSP account and time.
    static let orders = """
        CREATE TABLE orders (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, reference {text}, live_reference {text},
            currency {text} NOT NULL, amount {int} NOT NULL CHECK (amount > 0),
            payable {int} NOT NULL CHECK (payable > 0 AND payable <= amount), policy {text} NOT NULL,
            wallet {text} CHECK (wallet IN ('apple_pay', 'google_pay')),
            capture {text} NOT NULL CHECK (capture IN ('automatic', 'manual')),
            on_deadline {text} NOT NULL CHECK (on_deadline IN ('abandon', 'continue')),
            on_capture_failure {text} NOT NULL CHECK (on_capture_failure IN ('attention', 'compensate')),
            deadline_at {int} NOT NULL, decide_by {int} NOT NULL, return_url {text},
            decision {text} NOT NULL
                CHECK (decision IN ('pending', 'cleared', 'accepted', 'refused', 'canceled')),
            decision_reason {text}, decided_at {int}, counts_on {text} NOT NULL, status {text} NOT NULL,
            action_since {int}, event_sequence {int} NOT NULL, announced {int} NOT NULL DEFAULT 0,
            expiry_told {int} NOT NULL DEFAULT 0, version {int} NOT NULL, metadata {text} NOT NULL, answer {bytes},
            created_at {int} NOT NULL, wake_at {int}, held_until {int}, failures {int} NOT NULL DEFAULT 0,
            failing_since {int}, failure {text}, failure_detail {text},
            CONSTRAINT orders_live_reference UNIQUE (marketplace, live_reference),
            CHECK ((decision = 'pending') = (decided_at IS NULL))
        ) {table};
        CREATE INDEX orders_by_time ON orders (marketplace, id);
        CREATE INDEX orders_by_reference ON orders (marketplace, reference);
        CREATE INDEX orders_queue ON orders (marketplace,
            (CASE WHEN held_until > wake_at THEN held_until ELSE wake_at END)) WHERE wake_at IS NOT NULL;
        CREATE INDEX orders_failing ON orders (failing_since) WHERE failing_since IS NOT NULL;
        CREATE TABLE payment (
            id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL REFERENCES orders (id),
            position {int} NOT NULL, marketplace {text} NOT NULL, merchant {text} NOT NULL,
            external_identifier {text} NOT NULL, amount {int} NOT NULL CHECK (amount > 0), reference {text},
            metadata {text} NOT NULL, allocation {text} NOT NULL, alternatives {text} NOT NULL DEFAULT '[]',
            reroute {text} NOT NULL DEFAULT 'never' CHECK (reroute IN ('never', 'if_not_sent', 'if_refused')),
            dispute_liability {text} NOT NULL DEFAULT 'merchant'
                CHECK (dispute_liability IN ('merchant', 'marketplace', 'pro_rata')),
            status {text} NOT NULL, authorized {int} NOT NULL, captured {int} NOT NULL, refunded {int} NOT NULL,
            announced {int} NOT NULL DEFAULT 0,
            CONSTRAINT payment_merchant UNIQUE (order_id, external_identifier),
            CHECK (authorized >= 0 AND captured >= 0 AND refunded >= 0),
            CHECK (captured <= authorized AND refunded <= captured)
        ) {table};
        CREATE INDEX payment_by_merchant ON payment (marketplace, merchant, id);
        CREATE INDEX payment_by_reference ON payment (reference) WHERE reference IS NOT NULL;
        CREATE TABLE attempt (
            id {text} NOT NULL PRIMARY KEY, payment_id {text} NOT NULL REFERENCES payment (id),
            order_id {text} NOT NULL, position {int} NOT NULL, marketplace {text} NOT NULL, psp {text} NOT NULL,
            psp_account {text} NOT NULL, merchant_account {text}, settles_to {text} NOT NULL,
            commission_by {text} NOT NULL, psp_reference {text}, psp_state {text}, network {text}, last4 {text},
            expires_at {int}
        ) {table};
        CREATE INDEX attempt_by_order ON attempt (order_id);
        CREATE INDEX attempt_by_psp_reference ON attempt (psp_reference) WHERE psp_reference IS NOT NULL;
        CREATE TABLE operation (
            id {text} NOT NULL PRIMARY KEY, attempt_id {text} NOT NULL REFERENCES attempt (id),
            order_id {text} NOT NULL, position {int} NOT NULL, marketplace {text} NOT NULL, psp_account {text},
            kind {text} NOT NULL CHECK (kind IN ('authorize', 'capture', 'void', 'refund', 'reverse')),
            amount {int} NOT NULL CHECK (amount > 0), commission {int}, is_final {int} NOT NULL DEFAULT 1,
            refund_id {text}, origin {text} NOT NULL CHECK (origin IN ('gateway', 'psp', 'operator')),
            state {text} NOT NULL, detail {text},
            done_amount {int} NOT NULL CHECK (done_amount >= 0 AND done_amount <= amount), reference {text},
            created_at {int} NOT NULL, replied_at {int}, posted_at {int}, leases {int} NOT NULL, leased_by {text},
            sendings {int} NOT NULL DEFAULT 0, sent_at {int}, sent_under_lease {int} NOT NULL DEFAULT 0,
            doubts {int} NOT NULL, answered_in_doubt {int} NOT NULL DEFAULT 0, retries {int} NOT NULL DEFAULT 0,
            due_at {int}, held_until {int}, failures {int} NOT NULL DEFAULT 0, failing_since {int}, failure {text},
            failure_detail {text}
        ) {table};
        CREATE INDEX operation_by_order ON operation (order_id);
        CREATE INDEX operation_by_reference ON operation (reference) WHERE reference IS NOT NULL;
        CREATE INDEX operation_posted ON operation (marketplace, psp_account, posted_at, id)
            WHERE posted_at IS NOT NULL;
        CREATE INDEX operation_queue ON operation ((marketplace || '/' || COALESCE(psp_account, '')),
            (CASE WHEN held_until > due_at THEN held_until ELSE due_at END)) WHERE due_at IS NOT NULL;
        CREATE INDEX operation_failing ON operation (failing_since) WHERE failing_since IS NOT NULL;
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
            amount {int} NOT NULL CHECK (amount >= 0), fee {int} NOT NULL DEFAULT 0 CHECK (fee >= 0), reason {text},
            said_by {text} NOT NULL DEFAULT 'psp' CHECK (said_by IN ('psp', 'operator')), respond_by {int},
            state_at {int}, heard_at {int} NOT NULL, CONSTRAINT dispute_once UNIQUE (attempt_id, reference)
        ) {table};
        CREATE INDEX dispute_by_order ON dispute (order_id);
        CREATE INDEX dispute_by_reference ON dispute (reference);
        CREATE TABLE order_step (
            order_id {text} NOT NULL, version {int} NOT NULL, marketplace {text} NOT NULL, at {int} NOT NULL,
            first_event {int}, last_event {int}, document {text} NOT NULL, PRIMARY KEY (order_id, version),
            CHECK ((first_event IS NULL) = (last_event IS NULL))
        ) {table};
        CREATE TABLE attention (
            order_id {text} NOT NULL, operation_id {text} NOT NULL, reason {text} NOT NULL,
            marketplace {text} NOT NULL, payment_id {text} NOT NULL, webhook_id {text},
            amount_at_risk {int} NOT NULL, since {int} NOT NULL, PRIMARY KEY (order_id, operation_id, reason)
        ) {table};

        """

    /// What a checkout brings: sealed credentials, tokens of wallets that were used, idempotency keys and payment requests.
    ///
    /// Credentials are sealed with keys that are themselves sealed with a key of the ring. They are destroyed minutes after
    /// they were made, and then nothing in any file may open them: on PostgreSQL their table is not logged, so that neither
    /// the log nor what is made of it (replicas, archives) ever has them, and it is emptied into a new file; on SQLite what
    /// is deleted is overwritten and the log cut. After a crash of PostgreSQL the table is empty; an instance that lives on
    /// writes its own keys down again.
    static let checkout = """
        CREATE TABLE credential (
            attempt_id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL, key_id {text} NOT NULL,
            sealed {bytes} NOT NULL, sealed_for {text}, erase_at {int} NOT NULL
        ) {table};
        {sqlite} CREATE TABLE credential_key (
            id {text} NOT NULL PRIMARY KEY, key_id {text} NOT NULL, sealed {bytes} NOT NULL, created_at {int} NOT NULL
        ) {table};
        {postgres} CREATE UNLOGGED TABLE credential_key (
            id {text} NOT NULL PRIMARY KEY, key_id {text} NOT NULL, sealed {bytes} NOT NULL, created_at {int} NOT NULL
        ) {table};
        CREATE TABLE wallet_token (
            wallet {text} NOT NULL, transaction_id {text} NOT NULL, marketplace {text} NOT NULL,
            order_id {text} NOT NULL, used_at {int} NOT NULL,
            CONSTRAINT wallet_token_once PRIMARY KEY (wallet, transaction_id)
        ) {table};
        CREATE INDEX wallet_token_by_order ON wallet_token (order_id);
        CREATE TABLE idempotency_key (
            marketplace {text} NOT NULL, scope {text} NOT NULL, key {text} NOT NULL, body_hash {text} NOT NULL,
            order_id {text} NOT NULL, refund_id {text}, answer {bytes}, created_at {int} NOT NULL,
            PRIMARY KEY (marketplace, scope, key)
        ) {table};
        CREATE INDEX idempotency_key_by_time ON idempotency_key (created_at);
        CREATE TABLE payment_request (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, document {text} NOT NULL,
            nonce {text} NOT NULL, revision {int} NOT NULL, has_contexts {int} NOT NULL, used_by {text},
            created_at {int} NOT NULL, expires_at {int} NOT NULL
        ) {table};

        """
}
