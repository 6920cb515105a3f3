import Glibc

/// Why memory cannot be spilled to disk.
package enum SpillProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No file can be made in the directory; the system's error number.
    case notCreated(directory: String, errorNumber: Int32)
    /// The disk, or the share of it that the user may have, is full.
    case full
    /// Writing failed otherwise.
    case notWritten(errorNumber: Int32)
    /// Reading failed.
    case notRead(errorNumber: Int32)
    /// The file is shorter than what was written to it.
    case truncated

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .notCreated(let directory, let number):
            "No temporary file can be made in \(directory): \(Self.text(number))."
        case .full: "The disk is full where temporary files are kept; TMPDIR names another place."
        case .notWritten(let number): "A temporary file cannot be written: \(Self.text(number))."
        case .notRead(let number): "A temporary file cannot be read: \(Self.text(number))."
        case .truncated: "A temporary file has become shorter."
        }
    }

    static func writing(_ errorNumber: Int32) -> SpillProblem {
        errorNumber == ENOSPC || errorNumber == EDQUOT ? .full : .notWritten(errorNumber: errorNumber)
    }

    private static func text(_ errorNumber: Int32) -> String {
        guard let text = unsafe strerror(errorNumber) else { return "error \(errorNumber)" }
        return unsafe String(cString: text)
    }
}
