import SQL
import Storage

extension Database {
    /// Stores something of files that are being taken in.
    ///
    /// - Throws: ``ReconciliationRefusal/disturbed`` if somebody else has one of them in hand by now, and what `body` throws.
    func write(holding files: [ImportedFile], _ body: @escaping @Sendable (any Session) throws -> Void) async throws {
        do {
            try await write { session in
                for file in files { try ImportTable.hold(file, in: session) }
                try body(session)
            }
        } catch ImportRefusal.disturbed {
            throw ReconciliationRefusal.disturbed
        }
    }
}
