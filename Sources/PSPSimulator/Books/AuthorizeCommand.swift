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
    /// What a PSP's dialect wants back and the books do not understand.
    package var details: [String: String]
    /// The PSP's name for it, if it has one before it reaches the books; the books find it by this as well.
    package var identifier: String?

    /// Makes a command.
    package init(
        reference: String,
        amount: Int64,
        currency: String,
        method: PaymentMethod,
        capture: Bool = false,
        applicationFee: Int64? = nil,
        returnURL: String? = nil,
        metadata: [String: String] = [:],
        details: [String: String] = [:],
        identifier: String? = nil
    ) {
        self.reference = reference
        self.amount = amount
        self.currency = currency
        self.method = method
        self.capture = capture
        self.applicationFee = applicationFee
        self.returnURL = returnURL
        self.metadata = metadata
        self.details = details
        self.identifier = identifier
    }
}
