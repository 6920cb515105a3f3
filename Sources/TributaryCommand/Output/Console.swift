import Foundation
import Synchronization

/// Where a command writes: data to standard output, everything else to standard error.
enum Console {
    private static let lost = Mutex<String?>(nil)

    /// Why data could not be written, if it could not: then the command has not done what was asked.
    static var lostOutput: String? { lost.withLock(\.self) }

    /// Writes data, with a line break behind it; a reader that has gone away is no reason to fail.
    static func out(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        } catch {
            let failure = WriteFailure(error)
            guard !failure.isOfReader else { return }
            lost.withLock { $0 = $0 ?? failure.reason }
        }
    }

    /// Writes what is not data: progress, warnings, refusals.
    static func note(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8)) }
}
