extension Schema {
    /// Marketplaces, their PSP accounts, merchants and routes, what was seen of the merchant hashes in wallet tokens, and
    /// API keys.
    ///
    /// `marketplace.clock_ahead` is by how many microseconds the clock of a test marketplace is ahead of the real time, and
    /// none in a live one: that is what a live marketplace is known by, and it never changes. `clock_ahead_before` is what it
    /// was before `clock_moved_at`; `clock_sweep` is how far its orders were woken since (see `TestClockTable`).
    ///
    /// A row of `credential_refusal` says that a PSP refuses an account's credentials; it is gone when it takes them again.
    ///
    /// An API key of a merchant is bound to the merchant's id (`merchant:<id>` among its scopes), because an external
    /// identifier is a name that may come to mean another.
    static let directory = """
        CREATE TABLE marketplace (
            id {text} NOT NULL PRIMARY KEY, name {text} NOT NULL, wallets {text} NOT NULL DEFAULT '{}',
            profile {text} NOT NULL DEFAULT '{}', created_at {int} NOT NULL, clock_ahead {int} DEFAULT 0,
            clock_ahead_before {int} NOT NULL DEFAULT 0, clock_moved_at {int}, clock_sweep {text},
            CHECK (clock_ahead IS NULL OR clock_ahead >= clock_ahead_before),
            CHECK (clock_ahead IS NOT NULL OR (clock_moved_at IS NULL AND clock_sweep IS NULL))
        ) {table};
        CREATE TABLE psp_account (
            marketplace {text} NOT NULL REFERENCES marketplace (id), id {text} NOT NULL, psp {text} NOT NULL,
            base_url {text} NOT NULL, credentials {text} NOT NULL,
            status {text where VALUE IN ('active', 'paused')} NOT NULL, updated_at {int} NOT NULL,
            PRIMARY KEY (marketplace, id)
        ) {table};
        CREATE INDEX psp_account_by_name ON psp_account (id);
        CREATE TABLE credential_refusal (
            marketplace {text} NOT NULL, psp_account {text} NOT NULL,
            objection {text where VALUE IN ('unauthenticated', 'forbidden')} NOT NULL, call {text} NOT NULL,
            status {int} NOT NULL, code {text}, since {int} NOT NULL, refused_at {int} NOT NULL,
            PRIMARY KEY (marketplace, psp_account),
            FOREIGN KEY (marketplace, psp_account) REFERENCES psp_account (marketplace, id)
        ) {table};
        CREATE TABLE merchant (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            external_identifier {text} NOT NULL, name {text} NOT NULL, merchant_identifier {text}, domain {text},
            kind {text where VALUE IN ('merchant', 'marketplace')} NOT NULL, statement_descriptor {text},
            commission {text} NOT NULL,
            dispute_liability {text where VALUE IN ('merchant', 'marketplace', 'pro_rata')} NOT NULL DEFAULT 'merchant',
            status {text where VALUE IN ('active', 'paused')} NOT NULL, updated_at {int} NOT NULL,
            profile {text} NOT NULL DEFAULT '{}',
            CONSTRAINT merchant_external_identifier UNIQUE (marketplace, external_identifier)
        ) {table};
        CREATE TABLE route (
            merchant {text} NOT NULL REFERENCES merchant (id), position {int} NOT NULL,
            marketplace {text} NOT NULL, psp_account {text} NOT NULL, merchant_account {text},
            settles_to {text where VALUE IN ('marketplace', 'merchant')} NOT NULL,
            commission_by {text where VALUE IN ('psp', 'invoice')} NOT NULL,
            currencies {text} NOT NULL, wallets {text} NOT NULL, networks {text} NOT NULL,
            apple_pay {text where VALUE IN ('open', 'pass_through')} NOT NULL DEFAULT 'open',
            PRIMARY KEY (merchant, position),
            FOREIGN KEY (marketplace, psp_account) REFERENCES psp_account (marketplace, id)
        ) {table};
        CREATE TABLE merchant_hash (
            marketplace {text} NOT NULL, hash {text} NOT NULL, merchant_identifier {text} NOT NULL,
            state {text where VALUE IN ('recorded', 'confirmed', 'rejected')} NOT NULL,
            seen {int} NOT NULL, contradicted {int} NOT NULL, first_seen_at {int} NOT NULL,
            last_seen_at {int} NOT NULL, decided_at {int},
            PRIMARY KEY (marketplace, hash, merchant_identifier)
        ) {table};
        CREATE TABLE api_key (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            name {text} NOT NULL, hash {text} NOT NULL UNIQUE, scopes {text} NOT NULL,
            networks {text} NOT NULL DEFAULT '', created_at {int} NOT NULL, expires_at {int}, last_used_at {int},
            revoked_at {int}, api_version {text}, idempotency_key {text},
            CONSTRAINT api_key_request UNIQUE (marketplace, idempotency_key)
        ) {table};
        CREATE UNIQUE INDEX api_key_name ON api_key (marketplace, name) WHERE revoked_at IS NULL;

        """
}
