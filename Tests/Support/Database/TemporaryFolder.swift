package import Foundation

/// A folder of its own for one test.
package struct TemporaryFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// Lends a new folder and removes it with all it holds.
    @discardableResult
    package static func with<Value>(_ body: (TemporaryFolder) async throws -> Value) async throws -> Value {
        let name = "tributary-test-" + UUID().uuidString
        let folder = TemporaryFolder(url: FileManager.default.temporaryDirectory.appendingPathComponent(name))
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder.url) }
        return try await body(folder)
    }

    /// The path of a file in it.
    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
