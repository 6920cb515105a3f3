extension Schema {
    /// Endpoints of the marketplace and of merchants, and what they are told.
    ///
    /// `merchant` is empty for the marketplace's own. An endpoint that asks for a client certificate has two references,
    /// to the certificate and to its key. The index `callback_due` serves both questions of delivery: which endpoints wait
    /// for anything (one probe each, however much waits), and what is due at one of them.
    static let callbacks = """
        CREATE TABLE callback_endpoint (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            merchant {text} NOT NULL, url {text} NOT NULL, secrets {text} NOT NULL, client_certificate {text},
            client_key {text}, state {text where VALUE IN ('enabled', 'disabled')} NOT NULL, reason {text},
            failures {int where VALUE >= 0} NOT NULL, failing_since {int}, retry_at {int}, leased_by {text},
            leased_until {int}, last_status {int}, last_error {text}, last_tried_at {int},
            last_delivered_at {int}, created_at {int} NOT NULL,
            CONSTRAINT callback_endpoint_owner UNIQUE (marketplace, merchant),
            CHECK ((leased_by IS NULL) = (leased_until IS NULL)),
            CHECK ((failures = 0) = (failing_since IS NULL)), CHECK ((state = 'enabled') = (reason IS NULL)),
            CHECK ((client_certificate IS NULL) = (client_key IS NULL))
        ) {table};
        CREATE TABLE callback (
            id {text} NOT NULL PRIMARY KEY, endpoint_id {text} NOT NULL REFERENCES callback_endpoint (id),
            marketplace {text} NOT NULL, merchant {text} NOT NULL, order_id {text}, payment_id {text},
            type {text} NOT NULL, sequence {int} NOT NULL, payload {text} NOT NULL,
            state {text where VALUE IN ('waiting', 'delivered', 'dead')} NOT NULL,
            attempts {int where VALUE >= 0} NOT NULL, due_at {int}, created_at {int} NOT NULL,
            settled_at {int}, last_status {int}, last_error {text},
            CHECK ((state = 'waiting') = (due_at IS NOT NULL)), CHECK ((state = 'waiting') = (settled_at IS NULL))
        ) {table};
        CREATE INDEX callback_due ON callback (endpoint_id, due_at, id) WHERE due_at IS NOT NULL;
        CREATE INDEX callback_waiting ON callback (created_at) WHERE due_at IS NOT NULL;
        CREATE INDEX callback_by_time ON callback (marketplace, id);
        CREATE INDEX callback_by_order ON callback (order_id, id) WHERE order_id IS NOT NULL;
        CREATE INDEX callback_dead ON callback (endpoint_id, id) WHERE state = 'dead';
        CREATE INDEX callback_settled ON callback (settled_at) WHERE settled_at IS NOT NULL;

        """
}
