import HTTPAPI
package import StrictJSON

/// What the published schemas promise of callbacks.
package struct CallbackContract: Sendable {
    private static let published = Result { try CallbackSchemas.load() }

    private let checkers: [String: SchemaChecker]

    /// Reads the schemas.
    ///
    /// - Throws: if they cannot be read.
    package init() throws {
        let entries = try Self.published.get().entries
        checkers = Dictionary(entries.map { ($0.type, SchemaChecker(document: $0.schema)) }) { first, _ in first }
    }

    /// What is wrong with a callback's body; empty if it is as the schema of its type says.
    package func complaints(about payload: JSON) -> [String] {
        let type = payload["type"]?.stringValue ?? ""
        guard let checker = checkers[type] else { return ["there is no schema for the type \(type)"] }
        return checker.complaints(about: payload, schema: checker.document).map { "\(type)\($0)" }
    }
}
