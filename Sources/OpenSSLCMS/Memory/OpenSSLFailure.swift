import COpenSSL

/// What OpenSSL said when a call failed.
///
/// Its words name functions and reasons, never the bytes it was given.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// OpenSSL's reasons, the first cause first; empty if it gave none.
    package let reasons: [String]

    /// The last reason, which is the one nearest to the caller.
    package var description: String { reasons.last ?? "OpenSSL gave no reason" }

    init(reasons: [String]) { self.reasons = reasons }

    /// Empties the error queue of this thread.
    ///
    /// Runs on the thread that made the failing call, before any suspension, or the reasons belong to someone else.
    static func drained() -> OpenSSLFailure {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            if let reason = unsafe ERR_reason_error_string(code) { unsafe reasons.append(String(cString: reason)) }
        }
        return OpenSSLFailure(reasons: reasons)
    }
}
