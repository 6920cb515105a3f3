package import SQL

/// Lends a fresh database of an engine, with what a template holds, and removes it afterwards.
///
/// - Throws: what `body` throws, or why there is no such database: a missing server fails the test.
@discardableResult
package func withDatabase<Value>(
    _ engine: DatabaseEngine,
    prepare template: DatabaseTemplate? = nil,
    connections: Int = 4,
    _ body: (any Database) async throws -> Value
) async throws -> Value {
    try await DatabaseLocation.with(engine, prepare: template) { location in
        try await location.withOpen(connections: connections, body)
    }
}
