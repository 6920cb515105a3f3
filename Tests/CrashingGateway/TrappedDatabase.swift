import SQL

/// A database around whose commits there are traps.
struct TrappedDatabase: Database {
    let base: any Database
    let trap: Trap

    var dialect: Dialect { base.dialect }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        let value = try await base.write { [trap] session in
            let value = try body(session)
            // A question makes the session send what it has queued.
            try trap.pass(.beforeCommit) { _ = try session.rows("SELECT 1 AS one") }
            return value
        }
        trap.pass(.afterCommit)
        return value
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
        try await base.read(body)
    }

    func now() async throws -> Int64 { try await base.now() }

    func scrub() async throws { try await base.scrub() }
}
