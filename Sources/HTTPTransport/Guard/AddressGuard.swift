/// Who chose where a request goes, and so what is checked.
package enum Destination: Hashable, Sendable {
    /// The operator: every address will do.
    case trusted
    /// A stranger: the URL is checked, and the address at the moment at which it is connected to.
    ///
    /// Each such request has a connection of its own, so that none is used that was made without the check. Of a
    /// host with several addresses, those refused are passed over.
    case vetted(AddressPolicy)
}

/// Where a request may go whose URL a stranger named.
///
/// Always `https` to an address of the public Internet, except as ``allowsLoopback`` says.
package struct AddressPolicy: Hashable, Sendable {
    /// The ports that may be connected to.
    package var ports: Set<UInt16>
    /// For development: this machine is allowed, on every port and in plain `http` too.
    ///
    /// Plain `http` only where the URL names a loopback address or `localhost`.
    package var allowsLoopback: Bool
    /// Addresses that are taken for public; only tests name some.
    package var exempted: Set<IPAddress> = []

    /// Makes a policy.
    package init(ports: Set<UInt16> = [443, 8443], allowsLoopback: Bool = false) {
        self.ports = ports
        self.allowsLoopback = allowsLoopback
    }

    /// Why a URL is refused, as far as it can be told without looking up its host; nil if it is not.
    ///
    /// For those who take a URL down: a request to it is checked in the same way, and its address when connecting.
    package func refusal(of url: String) -> DestinationRefusal? {
        do throws(DestinationRefusal) {
            _ = try VettedURL(url, under: self)
            return nil
        } catch {
            return error
        }
    }
}

/// Says of each address, when it is about to be connected to, whether it may be.
struct AddressGuard: Hashable, Sendable {
    private let policy: AddressPolicy
    private let isPlain: Bool

    /// A request in plain `http` never leaves this machine.
    init(_ policy: AddressPolicy, isPlain: Bool) {
        self.policy = policy
        self.isPlain = isPlain
    }

    /// Why the address may not be connected to; nil if it may.
    func refusal(of address: IPAddress) -> DestinationRefusal? {
        if policy.exempted.contains(address) { return nil }
        switch SpecialRange.containing(address) {
        case .loopback where policy.allowsLoopback: return nil
        case .some(let range): return .address(range)
        case nil: return isPlain ? .scheme : nil
        }
    }
}

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
}
