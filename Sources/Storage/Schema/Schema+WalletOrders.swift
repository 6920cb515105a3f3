extension Schema {
    /// Orders in Wallet, the devices that follow them, and the pushes that devices are owed.
    ///
    /// `wallet_order` has a row for each package: one of a checkout, under its order's identifier, and one of each payment that
    /// a link was made for, under the payment's. Its version and `updated_at` (whole seconds) rise under the lock of the
    /// order's row, in the transaction of the step that changes what the package shows; `modified_at` is when that was.
    /// `fetched_version` is the latest version that anybody fetched. `wallet_details` and `fulfillment` have what the buyer
    /// reads and no order remembers, sealed: what was told with the order, and what was told later (fulfillments, and
    /// returns and receipts, whose identifiers begin with `return/` and `receipt/`). A push is owed to a device for each version of what it is registered for, and
    /// devices are leased as a whole, by compare-and-set, so that one gets one push for all of them. No token is stored: it
    /// is computed from the identifier.
    static let walletOrders = """
        CREATE TABLE wallet_order (
            id {text} NOT NULL PRIMARY KEY, order_id {text} NOT NULL, payment_id {text}, marketplace {text} NOT NULL,
            order_type {text} NOT NULL, version {int where VALUE > 0} NOT NULL, created_at {int} NOT NULL,
            updated_at {int where VALUE % 1000000 = 0} NOT NULL, modified_at {int} NOT NULL,
            fetched_version {int} NOT NULL DEFAULT 0, CHECK (fetched_version <= version),
            CHECK (created_at <= updated_at), CHECK (id = COALESCE(payment_id, order_id))
        ) {table};
        CREATE INDEX wallet_order_by_order ON wallet_order (order_id);
        CREATE INDEX wallet_order_by_time ON wallet_order (modified_at);
        CREATE TABLE wallet_details (
            order_id {text} NOT NULL PRIMARY KEY REFERENCES wallet_order (id) ON DELETE CASCADE,
            key_id {text} NOT NULL, sealed {bytes} NOT NULL
        ) {table};
        CREATE TABLE fulfillment (
            id {text} NOT NULL PRIMARY KEY, payment_id {text} NOT NULL,
            order_id {text} NOT NULL REFERENCES wallet_order (id) ON DELETE CASCADE,
            key_id {text} NOT NULL, sealed {bytes} NOT NULL, updated_at {int} NOT NULL
        ) {table};
        CREATE INDEX fulfillment_by_order ON fulfillment (order_id);
        CREATE TABLE wallet_device (
            order_type {text} NOT NULL, device {text} NOT NULL, marketplace {text} NOT NULL, push_token {text} NOT NULL,
            registered_at {int} NOT NULL, push_at {int} NOT NULL, failures {int} NOT NULL DEFAULT 0,
            last_status {int}, last_error {text}, last_pushed_at {int}, leased_by {text}, leased_until {int},
            PRIMARY KEY (order_type, device), CHECK ((leased_by IS NULL) = (leased_until IS NULL))
        ) {table};
        CREATE INDEX wallet_device_by_time ON wallet_device (registered_at);
        CREATE TABLE wallet_registration (
            order_type {text} NOT NULL, device {text} NOT NULL,
            wallet_order {text} NOT NULL REFERENCES wallet_order (id) ON DELETE CASCADE, registered_at {int} NOT NULL,
            PRIMARY KEY (order_type, device, wallet_order),
            FOREIGN KEY (order_type, device) REFERENCES wallet_device (order_type, device) ON DELETE CASCADE
        ) {table};
        CREATE INDEX wallet_registration_by_order ON wallet_registration (wallet_order);
        CREATE TABLE wallet_push (
            order_type {text} NOT NULL, device {text} NOT NULL, wallet_order {text} NOT NULL, version {int} NOT NULL,
            created_at {int} NOT NULL, PRIMARY KEY (order_type, device, wallet_order, version),
            FOREIGN KEY (order_type, device, wallet_order)
                REFERENCES wallet_registration (order_type, device, wallet_order) ON DELETE CASCADE
        ) {table};
        CREATE TABLE wallet_problem (
            marketplace {text} NOT NULL, kind {text} NOT NULL, subject {text}, since {int} NOT NULL,
            seen_at {int} NOT NULL, finding {text} NOT NULL, PRIMARY KEY (marketplace, kind)
        ) {table};

        """
}
