/// The private keys that tokens may be encrypted for, one or several while certificates are replaced, by the hash of
/// their public halves.
package struct ApplePayRing: Sendable {
    /// The keys in the order in which they were given.
    package let keys: [ProcessingKey]
    private let indices: [[UInt8]: Int]

    /// Makes a ring; of several entries for one key the first counts.
    package init(_ keys: [ProcessingKey]) {
        self.keys = keys
        indices = Dictionary(zip(keys.map(\.publicKeyHash), keys.indices)) { first, _ in first }
    }

    /// The key with this hash of its public half.
    package subscript(publicKeyHash: [UInt8]) -> ProcessingKey? { indices[publicKeyHash].map { keys[$0] } }
}
