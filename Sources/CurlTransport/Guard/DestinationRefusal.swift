/// The rule by which a destination that a stranger named is refused.
///
/// It says nothing of the address itself, so that who chose the URL learns nothing of the network it is refused in.
package enum DestinationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL is too long, or holds a character that readers of URLs disagree on.
    case characters
    /// It is not `https`.
    case scheme
    /// It holds a user name or a password.
    case credentials
    /// The port is none, or not among those allowed.
    case port
    /// The host is neither a plain name nor a plainly written address.
    case host
    /// The host's address is not one of the public Internet.
    case address(SpecialRange)

    /// The rule in words.
    package var description: String {
        switch self {
        case .characters: "the URL is too long or holds a character that is not allowed"
        case .scheme: "only https is allowed"
        case .credentials: "the URL holds a user name or a password"
        case .port: "the port is not allowed"
        case .host: "the host is neither a plain name nor a plainly written address"
        case .address(let range): "the host's address is not public: \(range.rawValue)"
        }
    }

    /// The same for whoever asked for the request, none of which was sent.
    var failure: TransportFailure {
        let reason: TransportFailure.Reason = if case .address = self { .refusedAddress } else { .refusedURL }
        return TransportFailure(reason, description, mayHaveArrived: false)
    }
}
