import Foundation
import SQLiteDatabase
import Synchronization

/// The files that hold what a template does: each is made by the first test that asks, copied for it and all others, and
/// removed at the process's exit.
enum SQLiteTemplates {
    private static let folder: URL = {
        let name = "tributary-templates-" + UUID().uuidString
        atexit { try? FileManager.default.removeItem(at: SQLiteTemplates.folder) }
        return FileManager.default.temporaryDirectory.appendingPathComponent(name)
    }()
    private static let files = Mutex<[String: Task<String, any Error>]>([:])

    /// Makes a file that holds what a template does.
    ///
    /// - Throws: what preparing it throws, each time that this template is asked for.
    static func copy(_ template: DatabaseTemplate, to path: String) async throws {
        try copy(try await prepared(template), to: path)
    }

    /// Copies a file that nobody has open, with what is in its log only.
    static func copy(_ file: String, to path: String) throws {
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: file + ending) {
            try FileManager.default.copyItem(atPath: file + ending, toPath: path + ending)
        }
    }

    /// The path of the file to copy; the first caller prepares it, the others wait.
    private static func prepared(_ template: DatabaseTemplate) async throws -> String {
        let task = files.withLock { files in
            if let known = files[template.name] { return known }
            let task = Task {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let path = folder.appendingPathComponent(template.name + ".sqlite").path
                let database = try SQLiteDatabase(path: path)
                try await template.prepare(database)
                try database.close()
                return path
            }
            files[template.name] = task
            return task
        }
        return try await task.value
    }
}
