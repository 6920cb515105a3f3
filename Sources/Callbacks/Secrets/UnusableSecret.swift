/// Why nothing can be sent to an endpoint: what that needs on this side cannot be had.
package enum UnusableSecret: Error, Hashable, Sendable, CustomStringConvertible {
    /// The secret that callbacks are to be signed with cannot be read, or is none.
    case signing
    /// The client certificate or its key cannot be read.
    case identity

    /// The reason in words, without the secret.
    package var description: String {
        switch self {
        case .signing: "the signing secret cannot be read or is not base 64"
        case .identity: "the client certificate or its key cannot be read"
        }
    }
}
