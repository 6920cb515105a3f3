/// Why a key ring cannot do what is asked.
///
/// Says nothing of any key's bytes.
package enum KeyringError: Error, Hashable, Sendable {
    /// The current key is not among the keys.
    case noCurrentKey(String)
    /// The key is not 64 hexadecimal digits.
    case malformedKey(String)
    /// Something was sealed with a key that is not among the keys.
    case unknownKey(String)
    /// The bytes cannot be encrypted.
    case cannotSeal
    /// The bytes were changed, or sealed for another context.
    case cannotOpen
}
