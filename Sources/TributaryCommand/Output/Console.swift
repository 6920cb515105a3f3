import Foundation

/// Where a command writes: data to standard output, everything else to standard error.
enum Console {
    /// Writes data, with a line break behind it.
    static func out(_ text: String) { write(text, to: .standardOutput) }

    /// Writes what is not data: progress, warnings, refusals.
    static func note(_ text: String) { write(text, to: .standardError) }

    /// A reader that has gone away is no reason to fail.
    private static func write(_ text: String, to file: FileHandle) {
        try? file.write(contentsOf: Data((text + "\n").utf8))
    }
}
