/// Why a private key, with or without its certificate, opens no tokens.
///
/// Says nothing of a private key's bytes.
package struct UnusableProcessingKey: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
