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
