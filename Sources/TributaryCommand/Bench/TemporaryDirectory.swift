import Foundation

/// A folder of our own that goes away with what is in it.
struct TemporaryDirectory {
    /// Where it is.
    let path: String

    /// Makes one.
    ///
    /// - Throws: if the system's folder for temporary files cannot be written.
    init() throws {
        let name = "tributary-" + UUID().uuidString
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Removes it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
