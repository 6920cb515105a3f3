import Domain
import Foundation

/// A small file that was named on the command line: a token, a key, a certificate.
enum TokenFile {
    /// The most that is read, in bytes.
    private static let limit = 1_048_576

    /// The bytes of a file, or of standard input for `-`.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be read or is too long.
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        guard path == "-" || FileManager.default.fileExists(atPath: path) else {
            throw .unusable("\(path.harmless): no such file")
        }
        guard let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw .unusable("\(path.harmless) cannot be read")
        }
        var bytes: [UInt8] = []
        do {
            while bytes.count <= limit, let more = try file.read(upToCount: limit), !more.isEmpty { bytes += more }
        } catch {
            throw .unusable("\(path.harmless) cannot be read")
        }
        guard bytes.count <= limit else { throw .unusable("\(path.harmless) is longer than 1 MiB") }
        return bytes
    }
}
