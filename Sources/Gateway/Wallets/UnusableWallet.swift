/// What a marketplace declares for its wallets cannot be used, so no token can be opened.
package struct UnusableWallet: Error, Hashable, Sendable, CustomStringConvertible {
    /// What cannot be used, in a sentence for the operator; nothing of a key.
    package let description: String

    init(_ description: String) { self.description = description }
}
