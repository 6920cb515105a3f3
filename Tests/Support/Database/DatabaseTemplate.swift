package import SQL

/// What a fresh database already holds, made once a run where the engine can copy it.
package struct DatabaseTemplate: Sendable {
    /// Tells templates apart: small letters, digits and underscores.
    package let name: String
    /// Fills an empty database.
    package let prepare: @Sendable (any Database) async throws -> Void

    /// Names a preparation; two with one name must do the same.
    package init(name: String, prepare: @escaping @Sendable (any Database) async throws -> Void) {
        self.name = name
        self.prepare = prepare
    }

    /// A template whose tables are written with the tokens of `Migration`.
    package init(name: String, tables: String) {
        self.init(name: name) { database in
            try await database.write { session in
                for statement in Migration(name: name, text: tables).statements(for: session.dialect) {
                    try session.run(statement)
                }
            }
        }
    }
}
