import SQL

/// Something that waits for a connection.
struct ConnectionJob: Sendable {
    /// When it has waited long enough.
    let deadline: ContinuousClock.Instant
    /// What to do with the connection, on its thread.
    let run: @Sendable (PostgresConnection) -> Void
    /// What to do if there is none.
    let refuse: @Sendable (SQLError) -> Void
}
