/// A request to hold an amount, or to take it in the same call.
package struct AuthorizeCommand: Hashable, Sendable {
    /// The caller's name for it.
    package var reference: String
    /// The amount in minor units, above 0.
    package var amount: Int64
    /// The currency's alphabetic code.
    package var currency: String
    /// What pays.
    package var method: PaymentMethod
    /// Whether to capture in the same call.
    package var capture: Bool
    /// The commission to keep for the marketplace, in minor units.
    package var applicationFee: Int64?
    /// Where the buyer goes after a step of theirs.
    package var returnURL: String?
    /// The caller's own notes.
    package var metadata: [String: String]

    /// Makes a command.
    package init(
        reference: String,
        amount: Int64,
        currency: String,
        method: PaymentMethod,
        capture: Bool = false,
        applicationFee: Int64? = nil,
        returnURL: String? = nil,
        metadata: [String: String] = [:]
    ) {
        self.reference = reference
        self.amount = amount
        self.currency = currency
        self.method = method
        self.capture = capture
        self.applicationFee = applicationFee
        self.returnURL = returnURL
        self.metadata = metadata
    }
}
