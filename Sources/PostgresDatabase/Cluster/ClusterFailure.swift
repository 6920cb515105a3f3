/// Why a throwaway server could not be started.
package enum ClusterFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server's programs are not on this machine.
    case notInstalled
    /// A program could not be started, or ended with an error; the sentence says which and what it last wrote.
    case failed(String)

    package var description: String {
        switch self {
        case .notInstalled:
            "PostgreSQL is not installed: initdb and postgres are neither under /usr/lib/postgresql nor in PATH; "
                + "install the package postgresql"
        case .failed(let sentence): sentence
        }
    }
}
