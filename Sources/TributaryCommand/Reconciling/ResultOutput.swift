import Foundation

/// Where a result goes: standard output, or a file that takes its name once it is whole.
final class ResultOutput {
    private let handle: FileHandle
    private let path: String?
    private var temporary: String? { path.map { $0 + ".part" } }

    /// Opens it.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ path: String?) throws {
        self.path = path
        guard let path else {
            handle = .standardOutput
            return
        }
        let part = path + ".part"
        guard FileManager.default.createFile(atPath: part, contents: nil),
            let handle = FileHandle(forWritingAtPath: part)
        else { throw CommandFailure.unusable("\(path.harmless) cannot be written") }
        self.handle = handle
    }

    /// What was begun and not finished is nobody's result.
    deinit {
        if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
    }

    /// Writes text.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes bytes.
    ///
    /// - Throws: ``CommandFailure`` for a file; a reader that has gone away is no reason to fail.
    func write(_ bytes: [UInt8]) throws {
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            guard let path else { return }
            throw CommandFailure.unusable("\(path.harmless) cannot be written")
        }
    }

    /// Gives the file its name.
    func finish() throws {
        guard let path, let temporary else { return }
        try handle.close()
        do {
            let (target, part) = (URL(fileURLWithPath: path), URL(fileURLWithPath: temporary))
            if FileManager.default.fileExists(atPath: path) {
                _ = try FileManager.default.replaceItemAt(target, withItemAt: part)
            } else {
                try FileManager.default.moveItem(at: part, to: target)
            }
        } catch {
            throw CommandFailure.unusable("\(path.harmless) cannot be written")
        }
    }
}
