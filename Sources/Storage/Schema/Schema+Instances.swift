extension Schema {
    /// The instances that serve, each with when it last said so.
    ///
    /// `taken_at` is when another instance took it for dead and ended its leases; an instance that lives on after all says
    /// so with its next heartbeat, and it is NULL again.
    static let instances = """
        CREATE TABLE instance (
            name {text} NOT NULL PRIMARY KEY, started_at {int} NOT NULL, heartbeat_at {int} NOT NULL, taken_at {int}
        ) {table};

        """
}
