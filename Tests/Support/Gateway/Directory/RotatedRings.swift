package import Domain
package import Keyring

/// The rings of a rotation, one behind the other.
package struct RotatedRings: Sendable {
    /// The key that is replaced.
    package let first: Secret
    /// The key that replaces it.
    package let second: Secret
    /// Before: `k1` alone.
    package let old: Keyring
    /// Both are known, and `k1` still seals.
    package let added: Keyring
    /// Both are known, and `k2` seals.
    package let both: Keyring
    /// Behind it: `k2` alone.
    package let new: Keyring

    /// Rings of two keys that were made for this.
    ///
    /// - Throws: `KeyringError`.
    package init() throws(KeyringError) {
        (first, second) = (Keyring.makeKey(), Keyring.makeKey())
        old = try Keyring(current: "k1", keys: ["k1": first])
        added = try Keyring(current: "k1", keys: ["k1": first, "k2": second])
        both = try Keyring(current: "k2", keys: ["k1": first, "k2": second])
        new = try Keyring(current: "k2", keys: ["k2": second])
    }
}
