import Domain

@testable import WalletTokens

/// Contexts and responses for tests.
enum Bundles {
    /// Where money may go.
    static let accounts = ["a", "b"].map { BundleContext.Settlement(pspAccount: "psp", merchantAccount: $0) }

    /// A context.
    static func context(
        _ position: Int,
        _ amount: Int64,
        merchant: String? = nil,
        account: Int = 0
    ) -> BundleContext {
        BundleContext(
            position: position,
            externalIdentifier: "merchant-\(position)",
            merchantIdentifier: merchant,
            amount: amount,
            settlement: accounts[account]
        )
    }

    /// The hash of the response at an index.
    static func hash(_ index: Int) -> String { "hash-\(index)" }

    /// Responses of these amounts, each with its own hash and cryptogram.
    static func responses(_ amounts: [Int64]) -> [BundleResponse] {
        amounts.enumerated().map { index, amount in
            BundleResponse(merchantHash: hash(index), amount: amount, cryptogram: Secret("AAA\(index)"))
        }
    }
}
