import Foundation
import TributaryTestKit

/// A disk of some megabytes, in memory, that a test can fill to the last byte and make room on again.
struct SmallDisk: Sendable {
    /// Where it is.
    let path: String
    private let mebibytes: Int

    /// Why it cannot be had here, for whoever reads that a test was skipped.
    static let want = "a disk of its own cannot be mounted here (mount -t tmpfs, as root)"

    /// Whether one can be mounted here.
    static func canBeMounted() async -> Bool {
        do { try await with(mebibytes: 1) { _ in } } catch { return false }
        return true
    }

    /// Lends one, and takes it away with all that is on it.
    static func with<Value>(mebibytes: Int, _ body: (SmallDisk) async throws -> Value) async throws -> Value {
        try await TemporaryFolder.with { folder in
            let disk = SmallDisk(path: folder.path("disk"), mebibytes: mebibytes)
            try FileManager.default.createDirectory(atPath: disk.path, withIntermediateDirectories: true)
            try await run("mount", ["-t", "tmpfs", "-o", "size=\(mebibytes)m,mode=755", "tmpfs", disk.path])
            let result: Result<Value, any Error>
            do { result = .success(try await body(disk)) } catch { result = .failure(error) }
            // Whoever is still at a file of it keeps that, and nothing else.
            try await run("umount", ["--lazy", disk.path])
            return try result.get()
        }
    }

    /// Writes until not one byte more has room.
    ///
    /// - Throws: what keeps it from being written to but that.
    func fill() throws {
        let file = unsafe open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        for size in [1 << 20, 4096, 1] {
            let piece = [UInt8](repeating: 0, count: size)
            for _ in 0..<(mebibytes << 20) / size {
                let count = unsafe write(file, piece, size)
                guard count >= 0 || errno == ENOSPC else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
                if count < size { break }
            }
        }
    }

    /// Makes room for what was taken by filling it.
    func makeRoom() throws { try FileManager.default.removeItem(atPath: ballast) }

    private var ballast: String { path + "/ballast" }

    private static func run(_ command: String, _ arguments: [String]) async throws {
        let finished = try await Programs.with { programs in
            let program = try programs.start(URL(fileURLWithPath: "/usr/bin/env"), [command] + arguments)
            return try await Finished(program, within: .patience)
        }
        guard finished.status == 0 else { throw ProgramFailure.notStarted("\(command): \(finished.err)") }
    }
}
