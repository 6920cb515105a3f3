extension Schema {
    /// Orders and their payments, what is asked of a captured payment (refunds, disputes), the history (a row for each step,
    /// with what PSPs said and what happened), what waits for a person (attention), and what makes them found: work, names
    /// of PSPs, effects.
    ///
    /// A payment's attempts, with their operations, are one document in its row: a step writes a row for each payment it
    /// touches, in place, because no column that a step writes stands in an index. A payment is found by its order, whose
    /// identifier begins its own. The columns that steps write stand last, those
    /// that grow first among them, because PostgreSQL logs of a changed row what stands between its first and its last change.
    /// For what is asked of many orders there are narrow tables:
    ///
    /// - `work` has a row for each order that is not at rest, with when it wants to be looked at (`at`; none while it only
    ///   holds money). Rows that are worked on carry `held_until`, which keeps one that is reserved or has failed out of the
    ///   others' way; each PSP account has a queue of its own (`share`). `at` may be earlier than needed, never later.
    /// - `orders.clock_ahead` is how far the clock of the order's marketplace was ahead of the real time at its latest step, by
    ///   which all its moments are told; none of a live marketplace's. What machines go by (`work`, leases of rows) is real.
    /// - `operation_failure` has what keeps single operations from being carried on.
    /// - `psp_name` leads from what PSPs call payments, captures and refunds to their orders. Our own names need no table: an
    ///   order's identifier begins those of all its parts.
    /// - `order_step.told` counts what others are told of a step, which its document names: the feed of events is read off it,
    ///   so that it costs no row.
    /// - `effect` has what moved money at a PSP, by PSP account and moment of posting, with all that reconciliation and
    ///   statements ask about it.
    static let orders = """
        CREATE TABLE orders (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, reference {text}, live_reference {text},
            currency {text} NOT NULL, amount {int where VALUE > 0} NOT NULL,
            payable {int where VALUE > 0} NOT NULL, policy {text} NOT NULL,
            wallet {text where VALUE IN ('apple_pay', 'google_pay')},
            capture {text where VALUE IN ('automatic', 'manual')} NOT NULL,
            on_deadline {text where VALUE IN ('abandon', 'continue')} NOT NULL,
            on_capture_failure {text where VALUE IN ('attention', 'compensate')} NOT NULL,
            deadline_at {int} NOT NULL, decide_by {int} NOT NULL, created_at {int} NOT NULL, return_url {text},
            metadata {text} NOT NULL, trace_parent {text}, clock_ahead {int}, wallet_order_type {text},
            wallet_web_service {text}, wallet_offered {small}, agreement {text},
            agreement_type {text where VALUE IN ('recurring', 'automatic_reload', 'deferred')},
            charge_reason {text where VALUE IN ('recurring', 'reload', 'deferred', 'no_show', 'resubmission')},
            decision {text where VALUE IN ('pending', 'cleared', 'accepted', 'refused', 'canceled')} NOT NULL,
            decision_reason {text}, counts_on {text} NOT NULL, status {text} NOT NULL, decided_at {int},
            action_since {int}, updated_at {int} NOT NULL, event_sequence {small} NOT NULL,
            announced {small} NOT NULL DEFAULT 0, version {small} NOT NULL, expiry_told {small} NOT NULL DEFAULT 0,
            answered {small} NOT NULL DEFAULT 0,
            CONSTRAINT orders_live_reference UNIQUE (marketplace, live_reference),
            CHECK (payable <= amount), CHECK ((decision = 'pending') = (decided_at IS NULL)),
            CHECK ((wallet_order_type IS NULL) = (wallet_web_service IS NULL)),
            CHECK ((wallet_order_type IS NULL) = (wallet_offered IS NULL)),
            CHECK ((agreement IS NULL) = (agreement_type IS NULL) AND (agreement IS NOT NULL OR charge_reason IS NULL))
        ) {table};
        {postgres} ALTER TABLE orders SET (fillfactor = 75);
        CREATE INDEX orders_by_time ON orders (marketplace, id);
        CREATE INDEX orders_by_reference ON orders (marketplace, reference);
        CREATE INDEX orders_by_agreement ON orders (agreement, id) WHERE agreement IS NOT NULL;
        CREATE TABLE work (
            order_id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, share {text} NOT NULL, at {int},
            held_until {int}, in_hand {small where VALUE IN (0, 1)} NOT NULL, failures {small} NOT NULL DEFAULT 0,
            failing_since {int}, failure {text}, failure_detail {text}
        ) {table};
        CREATE INDEX work_queue ON work (share, (CASE WHEN held_until > at THEN held_until ELSE at END))
            WHERE at IS NOT NULL;
        CREATE INDEX work_failing ON work (failing_since) WHERE failing_since IS NOT NULL;
        CREATE TABLE operation_failure (
            operation_id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL, marketplace {text} NOT NULL,
            psp_account {text} NOT NULL, amount {int} NOT NULL, failures {int} NOT NULL, failing_since {int} NOT NULL,
            failure {text} NOT NULL, failure_detail {text} NOT NULL, held_until {int}
        ) {table};
        CREATE INDEX operation_failure_by_order ON operation_failure (order_id);
        CREATE INDEX operation_failure_by_time ON operation_failure (failing_since);
        CREATE TABLE payment (
            id {text} NOT NULL, order_id {text} NOT NULL REFERENCES orders (id),
            position {small} NOT NULL, marketplace {text} NOT NULL, merchant {text} NOT NULL,
            external_identifier {text} NOT NULL, amount {int where VALUE > 0} NOT NULL, reference {text},
            metadata {text} NOT NULL,
            reroute {text where VALUE IN ('never', 'if_not_sent', 'if_refused')} NOT NULL DEFAULT 'never',
            dispute_liability {text where VALUE IN ('merchant', 'marketplace', 'pro_rata')} NOT NULL DEFAULT 'merchant',
            alternatives {text} NOT NULL DEFAULT '[]', allocation {text} NOT NULL, direct_attempts {text},
            attempts {text} NOT NULL, allocation_moved {text}, status {text} NOT NULL,
            authorized {int where VALUE >= 0} NOT NULL, captured {int where VALUE >= 0} NOT NULL,
            refunded {int where VALUE >= 0} NOT NULL, announced {small} NOT NULL DEFAULT 0, canceled_at {int},
            CONSTRAINT payment_merchant PRIMARY KEY (order_id, external_identifier),
            CHECK (captured <= authorized AND refunded <= captured)
        ) {table};
        {postgres} ALTER TABLE payment SET (fillfactor = 80);
        CREATE INDEX payment_by_merchant ON payment (marketplace, merchant, id);
        CREATE INDEX payment_by_reference ON payment (reference) WHERE reference IS NOT NULL;
        CREATE TABLE psp_name (
            name {text} NOT NULL, marketplace {text} NOT NULL, psp_account {text} NOT NULL, order_id {text} NOT NULL
        ) {table};
        CREATE INDEX psp_name_by_name ON psp_name (name);
        CREATE TABLE effect (
            operation_id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL, payment_id {text} NOT NULL,
            attempt_id {text} NOT NULL, marketplace {text} NOT NULL, merchant {text} NOT NULL, psp {text} NOT NULL,
            psp_account {text} NOT NULL, merchant_account {text}, settles_to {text} NOT NULL,
            kind {text where VALUE IN ('capture', 'refund', 'reverse')} NOT NULL, state {text} NOT NULL,
            currency {text} NOT NULL, amount {int where VALUE >= 0} NOT NULL, commission {int}, refund_id {text},
            payment_reference {text}, reference {text}, is_voided {small where VALUE IN (0, 1)} NOT NULL,
            posted_at {int} NOT NULL
        ) {table};
        CREATE INDEX effect_posted ON effect (marketplace, psp_account, posted_at);
        CREATE INDEX effect_withdrawn ON effect (marketplace, psp_account) WHERE state = 'withdrawn';
        CREATE TABLE refund (
            id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL REFERENCES orders (id),
            position {int} NOT NULL, marketplace {text} NOT NULL, items {text} NOT NULL,
            amount {int where VALUE > 0} NOT NULL,
            borne_by {text where VALUE IN ('merchant', 'marketplace')} NOT NULL, reason {text} NOT NULL,
            created_at {int} NOT NULL
        ) {table};
        CREATE INDEX refund_by_order ON refund (order_id);
        CREATE INDEX refund_by_time ON refund (marketplace, created_at, id);
        CREATE TABLE dispute (
            id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL REFERENCES orders (id),
            payment_id {text} NOT NULL, position {int} NOT NULL, marketplace {text} NOT NULL,
            attempt_id {text} NOT NULL, psp {text} NOT NULL, psp_account {text} NOT NULL, merchant_account {text},
            settles_to {text} NOT NULL, payment_reference {text}, reference {text} NOT NULL,
            state {text where VALUE IN ('opened', 'won', 'lost')} NOT NULL,
            amount {int where VALUE >= 0} NOT NULL, fee {int where VALUE >= 0} NOT NULL DEFAULT 0, reason {text},
            said_by {text where VALUE IN ('psp', 'operator')} NOT NULL DEFAULT 'psp', respond_by {int},
            state_at {int}, heard_at {int} NOT NULL, CONSTRAINT dispute_once UNIQUE (attempt_id, reference)
        ) {table};
        CREATE INDEX dispute_by_order ON dispute (order_id);
        CREATE INDEX dispute_by_time ON dispute (marketplace, heard_at, id);
        CREATE INDEX dispute_by_reference ON dispute (reference);
        {sqlite} CREATE TABLE order_step (
            order_id {text} NOT NULL, version {small} NOT NULL, marketplace {text} NOT NULL, at {int} NOT NULL,
            first_event {small}, last_event {small}, told {small}, document {bytes} NOT NULL, answer {bytes},
            PRIMARY KEY (order_id, version),
            CHECK ((first_event IS NULL) = (last_event IS NULL))
        ) {table};
        {postgres} CREATE TABLE order_step (
            order_id {text} NOT NULL, version {small} NOT NULL, marketplace {text} NOT NULL, at {int} NOT NULL,
            first_event {small}, last_event {small}, told {small}, document {bytes} NOT NULL, answer {bytes},
            PRIMARY KEY (order_id, version),
            CHECK ((first_event IS NULL) = (last_event IS NULL))
        ) PARTITION BY RANGE (order_id);
        {postgres} ALTER TABLE order_step ALTER COLUMN document SET STORAGE EXTERNAL;
        {postgres} DO $$ BEGIN
            ALTER TABLE order_step ALTER COLUMN answer SET COMPRESSION lz4
            ; EXCEPTION WHEN feature_not_supported THEN NULL
            ; END $$;
        CREATE INDEX order_step_told ON order_step (marketplace, at) WHERE told IS NOT NULL;
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
    ///
    /// Who waits for an order that another instance drives is written down for seconds (`order_waiter`), and not logged
    /// either: who is forgotten looks by itself.
    static let checkout = """
        CREATE TABLE credential (
            attempt_id {text} NOT NULL PRIMARY KEY, key_id {text} NOT NULL,
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
        {sqlite} CREATE TABLE order_waiter (
            order_id {text} NOT NULL, instance {text} NOT NULL, number {int} NOT NULL, expires_at {int} NOT NULL,
            PRIMARY KEY (order_id, instance, number)
        ) {table};
        {postgres} CREATE UNLOGGED TABLE order_waiter (
            order_id {text} NOT NULL, instance {text} NOT NULL, number {int} NOT NULL, expires_at {int} NOT NULL,
            PRIMARY KEY (order_id, instance, number)
        ) {table};
        CREATE INDEX payment_request_by_end ON payment_request (expires_at);

        """
}
