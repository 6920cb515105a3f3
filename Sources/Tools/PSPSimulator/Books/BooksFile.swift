import Glibc
import NIOCore
import NIOFileSystem
import StrictJSON

/// Where the books are kept.
package enum BooksStorage: Hashable, Sendable {
    /// In memory: they die with the simulator.
    case memory
    /// In a file of JSON lines, one a request, on disk before the request is answered and replayed at start.
    case file(path: String)
}

/// An append-only file of JSON lines, locked while it is open.
///
/// A last line without its line break was never answered for; it is cut off when the file is opened.
actor BooksFile {
    /// The longest file that is read back, in bytes.
    static let greatestSize: Int64 = 1 << 30

    private let path: String
    private let handle: ReadWriteFileHandle
    private var end: Int64

    /// Opens or makes the file and reads what it holds.
    static func open(path: String) async throws(BooksFileError) -> (file: BooksFile, entries: [BooksEntry]) {
        let handle: ReadWriteFileHandle
        do {
            handle = try await FileSystem.shared.openFile(
                forReadingAndWritingAt: FilePath(path),
                options: .modifyFile(createIfNecessary: true, permissions: [.ownerReadWrite])
            )
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
        do throws(BooksFileError) {
            try await lock(handle, path: path)
            let (entries, end) = try await read(handle, path: path)
            return (BooksFile(path: path, handle: handle, end: end), entries)
        } catch {
            await Self.close(handle)
            throw error
        }
    }

    private init(path: String, handle: ReadWriteFileHandle, end: Int64) {
        self.path = path
        self.handle = handle
        self.end = end
    }

    /// Appends whole lines and has them on disk when it returns.
    ///
    /// Calls must not overlap.
    func append(_ lines: [UInt8]) async throws(BooksFileError) {
        do {
            try await handle.write(contentsOf: lines, toAbsoluteOffset: end)
            try await handle.synchronize()
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
        end += Int64(lines.count)
    }

    /// Closes the file and gives up the lock.
    func close() async { await Self.close(handle) }

    /// Gives up the lock by name: a program that is being started at the moment has the file open, too, until it is another one,
    /// and would keep the lock of a file that is only closed.
    private static func close(_ handle: ReadWriteFileHandle) async {
        _ = try? await handle.withUnsafeDescriptor { flock($0.rawValue, LOCK_UN) }
        try? await handle.close()
    }

    private static func lock(_ handle: ReadWriteFileHandle, path: String) async throws(BooksFileError) {
        do {
            let isLocked = try await handle.withUnsafeDescriptor { flock($0.rawValue, LOCK_EX | LOCK_NB) == 0 }
            if isLocked { return }
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
        throw .inUse(path: path)
    }

    private static func read(
        _ handle: ReadWriteFileHandle,
        path: String
    ) async throws(BooksFileError) -> ([BooksEntry], end: Int64) {
        let bytes: [UInt8]
        let end: Int
        do {
            let buffer = try await handle.readToEnd(maximumSizeAllowed: .bytes(greatestSize))
            bytes = Array(buffer.readableBytesView)
            end = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
            if end < bytes.count { try await handle.resize(to: .bytes(Int64(end))) }
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
        var entries: [BooksEntry] = []
        for line in bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            guard let json = try? JSON.parse(Array(line)), let entry = BooksEntry(json) else {
                throw .unreadable(path: path, line: entries.count + 1)
            }
            entries.append(entry)
        }
        return (entries, Int64(end))
    }
}

/// Why a books file cannot be used.
package enum BooksFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another simulator has it open.
    case inUse(path: String)
    /// The line with that number, from 1, is none that this version wrote.
    case unreadable(path: String, line: Int)
    /// It cannot be opened, read or written.
    case inaccessible(path: String, reason: String)

    /// A sentence with the path.
    package var description: String {
        switch self {
        case .inUse(let path): "the books file \(path) is in use by another simulator"
        case .unreadable(let path, let line): "line \(line) of the books file \(path) cannot be read"
        case .inaccessible(let path, let reason): "the books file \(path) cannot be used: \(reason)"
        }
    }
}
