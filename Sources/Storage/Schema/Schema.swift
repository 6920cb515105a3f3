package import SQL

/// The schema: an append-only list of migrations.
package enum Schema {
    /// Every migration, in the order of application.
    package static let migrations = [
        directory, orders, work, journal, access, wallets, life, inbox, callbacks, payouts, rollup,
        reconciliation, payoutSeries, callbackIdentities, turns, sendings, disputes, queue,
        credentialKeys, audit,
    ]

    private static let directory = Migration(
        name: "0001-directory",
        text: """
            CREATE TABLE marketplace (
                id {text} NOT NULL PRIMARY KEY, name {text} NOT NULL, created_at {int} NOT NULL
            ) {table};
            CREATE TABLE psp_account (
                marketplace {text} NOT NULL REFERENCES marketplace (id), id {text} NOT NULL, psp {text} NOT NULL,
                base_url {text} NOT NULL, credentials {text} NOT NULL,
                status {text} NOT NULL CHECK (status IN ('active', 'paused')), updated_at {int} NOT NULL,
                PRIMARY KEY (marketplace, id)
            ) {table};
            CREATE TABLE merchant (
                id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
                external_identifier {text} NOT NULL, name {text} NOT NULL, merchant_identifier {text}, domain {text},
                kind {text} NOT NULL CHECK (kind IN ('merchant', 'marketplace')), commission {text} NOT NULL,
                status {text} NOT NULL CHECK (status IN ('active', 'paused')), updated_at {int} NOT NULL,
                CONSTRAINT merchant_external_identifier UNIQUE (marketplace, external_identifier)
            ) {table};
            CREATE TABLE route (
                merchant {text} NOT NULL REFERENCES merchant (id), position {int} NOT NULL,
                marketplace {text} NOT NULL, psp_account {text} NOT NULL, merchant_account {text},
                settles_to {text} NOT NULL CHECK (settles_to IN ('marketplace', 'merchant')),
                commission_by {text} NOT NULL CHECK (commission_by IN ('psp', 'invoice')),
                currencies {text} NOT NULL, wallets {text} NOT NULL, networks {text} NOT NULL,
                PRIMARY KEY (merchant, position),
                FOREIGN KEY (marketplace, psp_account) REFERENCES psp_account (marketplace, id)
            ) {table};

            """
    )

    private static let orders = Migration(
        name: "0002-orders",
        text: """
            CREATE TABLE orders (
                id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, reference {text}, live_reference {text},
                currency {text} NOT NULL, amount {int} NOT NULL CHECK (amount > 0),
                payable {int} NOT NULL CHECK (payable > 0 AND payable <= amount), policy {text} NOT NULL,
                capture {text} NOT NULL CHECK (capture IN ('automatic', 'manual')),
                on_deadline {text} NOT NULL CHECK (on_deadline IN ('abandon', 'continue')),
                on_capture_failure {text} NOT NULL CHECK (on_capture_failure IN ('attention', 'compensate')),
                deadline_at {int} NOT NULL, decide_by {int} NOT NULL, return_url {text},
                decision {text} NOT NULL
                    CHECK (decision IN ('pending', 'cleared', 'accepted', 'refused', 'canceled')),
                decision_reason {text}, decided_at {int}, counts_on {text} NOT NULL, status {text} NOT NULL,
                action_since {int}, wake_at {int}, event_sequence {int} NOT NULL, version {int} NOT NULL,
                metadata {text} NOT NULL, answer {bytes}, created_at {int} NOT NULL,
                CONSTRAINT orders_live_reference UNIQUE (marketplace, live_reference),
                CHECK ((decision = 'pending') = (decided_at IS NULL))
            ) {table};
            CREATE INDEX orders_by_time ON orders (marketplace, id);
            CREATE INDEX orders_by_reference ON orders (marketplace, reference);
            CREATE INDEX orders_due ON orders (wake_at) WHERE wake_at IS NOT NULL;
            CREATE TABLE payment (
                id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL REFERENCES orders (id),
                position {int} NOT NULL, marketplace {text} NOT NULL, merchant {text} NOT NULL,
                external_identifier {text} NOT NULL, amount {int} NOT NULL CHECK (amount > 0), reference {text},
                metadata {text} NOT NULL, allocation {text} NOT NULL, status {text} NOT NULL,
                authorized {int} NOT NULL, captured {int} NOT NULL, refunded {int} NOT NULL,
                CONSTRAINT payment_merchant UNIQUE (order_id, external_identifier),
                CHECK (authorized >= 0 AND captured >= 0 AND refunded >= 0),
                CHECK (captured <= authorized AND refunded <= captured)
            ) {table};
            CREATE INDEX payment_by_merchant ON payment (marketplace, merchant, id);
            CREATE TABLE attempt (
                id {text} NOT NULL PRIMARY KEY, payment_id {text} NOT NULL REFERENCES payment (id),
                order_id {text} NOT NULL, position {int} NOT NULL, marketplace {text} NOT NULL, psp {text} NOT NULL,
                psp_account {text} NOT NULL, merchant_account {text}, settles_to {text} NOT NULL,
                commission_by {text} NOT NULL, psp_reference {text}, psp_state {text}, network {text}, last4 {text},
                expires_at {int}
            ) {table};
            CREATE INDEX attempt_by_order ON attempt (order_id);
            CREATE INDEX attempt_by_psp_reference ON attempt (psp_reference) WHERE psp_reference IS NOT NULL;

            """
    )

    private static let work = Migration(
        name: "0003-work",
        text: """
            CREATE TABLE operation (
                id {text} NOT NULL PRIMARY KEY, attempt_id {text} NOT NULL REFERENCES attempt (id),
                order_id {text} NOT NULL, position {int} NOT NULL, marketplace {text} NOT NULL,
                kind {text} NOT NULL CHECK (kind IN ('authorize', 'capture', 'void', 'refund', 'reverse')),
                amount {int} NOT NULL CHECK (amount > 0),
                origin {text} NOT NULL CHECK (origin IN ('gateway', 'psp', 'operator')), state {text} NOT NULL,
                detail {text}, done_amount {int} NOT NULL CHECK (done_amount >= 0 AND done_amount <= amount),
                reference {text}, created_at {int} NOT NULL, replied_at {int}, leases {int} NOT NULL,
                doubts {int} NOT NULL, due_at {int}, leased_by {text}
            ) {table};
            CREATE INDEX operation_by_order ON operation (order_id);
            CREATE INDEX operation_due ON operation (due_at) WHERE due_at IS NOT NULL;
            CREATE TABLE fact (
                operation_id {text} NOT NULL, kind {text} NOT NULL, reference {text} NOT NULL,
                marketplace {text} NOT NULL, order_id {text} NOT NULL, origin {text} NOT NULL, amount {int},
                code {text}, at {int} NOT NULL, PRIMARY KEY (operation_id, kind, reference)
            ) {table};
            CREATE TABLE event (
                order_id {text} NOT NULL, sequence {int} NOT NULL, id {text} NOT NULL, marketplace {text} NOT NULL,
                type {text} NOT NULL, payment_id {text}, operation_id {text}, at {int} NOT NULL,
                details {text} NOT NULL, PRIMARY KEY (order_id, sequence)
            ) {table};
            CREATE TABLE attention (
                order_id {text} NOT NULL, operation_id {text} NOT NULL, reason {text} NOT NULL,
                marketplace {text} NOT NULL, payment_id {text} NOT NULL, amount_at_risk {int} NOT NULL,
                since {int} NOT NULL, PRIMARY KEY (order_id, operation_id, reason)
            ) {table};
            CREATE TABLE credential (
                attempt_id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL, key_id {text} NOT NULL,
                sealed {bytes} NOT NULL, erase_at {int} NOT NULL
            ) {table};
            CREATE INDEX credential_erase ON credential (erase_at);

            """
    )

    private static let journal = Migration(
        name: "0004-journal",
        text: """
            CREATE TABLE journal_entry (
                id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, order_id {text} NOT NULL,
                payment_id {text} NOT NULL, operation_id {text} NOT NULL, kind {text} NOT NULL,
                currency {text} NOT NULL, at {int} NOT NULL,
                CONSTRAINT journal_entry_effect UNIQUE (operation_id, kind)
            ) {table};
            CREATE INDEX journal_entry_by_order ON journal_entry (order_id);
            CREATE TABLE posting (
                entry_id {text} NOT NULL REFERENCES journal_entry (id), position {int} NOT NULL,
                marketplace {text} NOT NULL, debit {text} NOT NULL, credit {text} NOT NULL,
                currency {text} NOT NULL, amount {int} NOT NULL CHECK (amount > 0),
                PRIMARY KEY (entry_id, position), CHECK (debit <> credit)
            ) {table};

            """
    )

    private static let access = Migration(
        name: "0005-access",
        text: """
            CREATE TABLE api_key (
                id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
                hash {text} NOT NULL UNIQUE, scopes {text} NOT NULL, created_at {int} NOT NULL, revoked_at {int}
            ) {table};
            CREATE TABLE idempotency_key (
                marketplace {text} NOT NULL, scope {text} NOT NULL, key {text} NOT NULL, body_hash {text} NOT NULL,
                order_id {text} NOT NULL, created_at {int} NOT NULL, PRIMARY KEY (marketplace, scope, key)
            ) {table};
            CREATE INDEX idempotency_key_by_time ON idempotency_key (created_at);
            CREATE TABLE payment_request (
                id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, document {text} NOT NULL,
                nonce {text} NOT NULL, revision {int} NOT NULL, has_contexts {int} NOT NULL, used_by {text},
                created_at {int} NOT NULL, expires_at {int} NOT NULL
            ) {table};

            """
    )
}
