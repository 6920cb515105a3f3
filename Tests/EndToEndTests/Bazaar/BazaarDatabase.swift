import Foundation
import TributaryTestKit

/// Fresh databases of a bazaar, cheaply: the schema is made once, then copied.
struct BazaarDatabase: Sendable {
    private let engine: DatabaseEngine
    private let template: DatabaseTemplate
    private let original: URL?

    /// Lends a source of databases of one engine.
    static func with<Value>(
        _ engine: DatabaseEngine,
        of bazaar: Bazaar,
        _ body: (BazaarDatabase) async throws -> Value
    ) async throws -> Value {
        let template = bazaar.template()
        guard engine == .sqlite else {
            return try await body(BazaarDatabase(engine: engine, template: template, original: nil))
        }
        return try await TemporaryFolder.with { folder in
            let path = folder.path("original.sqlite")
            try await DatabaseLocation.sqlite(path: path).withOpen { try await template.prepare($0) }
            return try await body(
                BazaarDatabase(engine: engine, template: template, original: URL(fileURLWithPath: path))
            )
        }
    }

    /// Lends a fresh database.
    func copy<Value>(_ body: (DatabaseLocation) async throws -> Value) async throws -> Value {
        guard let original else {
            return try await DatabaseLocation.with(engine, prepare: template, body)
        }
        return try await TemporaryFolder.with { folder in
            let path = folder.path("books.sqlite")
            try FileManager.default.copyItem(at: original, to: URL(fileURLWithPath: path))
            // The log behind the file is emptied into it on closing, unless another process was looking just then.
            let log = original.path + "-wal"
            if FileManager.default.fileExists(atPath: log) {
                try FileManager.default.copyItem(atPath: log, toPath: path + "-wal")
            }
            return try await body(.sqlite(path: path))
        }
    }
}

extension DatabaseLocation {
    /// The location as `--database` takes it.
    var text: String {
        switch self {
        case .sqlite(let path): "sqlite:" + path
        case .postgres(let url): url
        }
    }
}
