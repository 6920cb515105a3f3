/// Why a file of keys cannot be used.
///
/// Says nothing of a private key's bytes.
package struct UnusableGooglePayKeys: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
