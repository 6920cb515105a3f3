import Domain
import Foundation

/// Where a result goes: standard output, or a file that takes its name once it is whole.
///
/// What is there and is no file, as a device or a pipe, is written to as it is; a directory is refused.
final class ResultOutput {
    private let handle: FileHandle
    private let path: String?
    /// The file under another name, until it is whole; nil for what is written to as it is.
    private let temporary: String?

    /// Opens it.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ path: String?) throws {
        self.path = path
        guard let path else {
            (handle, temporary) = (.standardOutput, nil)
            return
        }
        let type = Self.type(of: path)
        guard type != .typeDirectory else { throw CommandFailure.unusable("\(path.harmless) is a directory") }
        let isFile = type == nil || type == .typeRegular
        let name = isFile ? path + ".part" : path
        guard !isFile || FileManager.default.createFile(atPath: name, contents: nil),
            let handle = FileHandle(forWritingAtPath: name)
        else { throw CommandFailure.unusable("\(path.harmless) cannot be written") }
        self.handle = handle
        temporary = isFile ? name : nil
    }

    /// What was begun and not finished is nobody's result.
    deinit {
        if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
    }

    /// What stands at a path, links followed; nil for nothing.
    private static func type(of path: String) -> FileAttributeType? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let end = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: end)
        return attributes?[.type] as? FileAttributeType ?? .typeUnknown
    }

    /// Writes text.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes bytes.
    ///
    /// - Throws: ``CommandFailure``; that a reader of standard output has gone away is no reason to fail.
    func write(_ bytes: [UInt8]) throws {
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            let failure = WriteFailure(error)
            if path == nil, failure.isOfReader { return }
            throw CommandFailure.unusable("\(path?.harmless ?? "the result") cannot be written: \(failure.reason)")
        }
    }

    /// Gives the file its name.
    func finish() throws {
        guard let path else { return }
        do { try handle.close() } catch {
            throw CommandFailure.unusable("\(path.harmless) cannot be written: \(WriteFailure(error).reason)")
        }
        guard let temporary else { return }
        do {
            let (target, part) = (URL(fileURLWithPath: path), URL(fileURLWithPath: temporary))
            if FileManager.default.fileExists(atPath: path) {
                _ = try FileManager.default.replaceItemAt(target, withItemAt: part)
            } else {
                try FileManager.default.moveItem(at: part, to: target)
            }
        } catch {
            throw CommandFailure.unusable("\(path.harmless) cannot be written: \(WriteFailure(error).reason)")
        }
    }
}
