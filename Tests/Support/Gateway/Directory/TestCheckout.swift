import AdapterKit
package import Domain
package import Gateway
package import Storage

/// A checkout at ``TestMarketplace/travel`` in US dollars, part by part.
package struct TestCheckout: Sendable {
    /// A part: whose it is, how much, and the PSP's token that pays for it.
    package struct Part: Hashable, Sendable {
        /// The merchant's external identifier.
        package var merchant: String
        /// The amount in cents.
        package var amount: Int64
        /// The token; by default `tok_` and the merchant.
        package var token: String

        /// Makes a part.
        package init(_ merchant: String, _ amount: Int64, token: String? = nil) {
            self.merchant = merchant
            self.amount = amount
            self.token = token ?? "tok_" + merchant
        }
    }

    /// The parts.
    package var parts: [Part]
    /// When a partial success is acceptable.
    package var policy: Policy
    /// When money is taken.
    package var capture: OrderTerms.Capture
    /// What happens when the deadline passes.
    package var onDeadline: OrderTerms.OnDeadline?
    /// What happens when a capture fails after acceptance.
    package var onCaptureFailure: OrderTerms.OnCaptureFailure
    /// How long the checkout waits, in milliseconds.
    package var deadlineMilliseconds: Int64?
    /// The marketplace's reference.
    package var reference: String?

    /// A checkout for an airline, a hotel and a taxi.
    package static let trip = TestCheckout([Part("airline", 30_000), Part("hotel", 15_000), Part("taxi", 1_999)])

    /// Makes a checkout.
    package init(
        _ parts: [Part],
        policy: Policy = .allOrNothing,
        capture: OrderTerms.Capture = .automatic,
        onDeadline: OrderTerms.OnDeadline? = nil,
        onCaptureFailure: OrderTerms.OnCaptureFailure = .attention,
        deadlineMilliseconds: Int64? = nil,
        reference: String? = nil
    ) {
        self.parts = parts
        self.policy = policy
        self.capture = capture
        self.onDeadline = onDeadline
        self.onCaptureFailure = onCaptureFailure
        self.deadlineMilliseconds = deadlineMilliseconds
        self.reference = reference
    }

    /// The sum of the parts.
    package var total: Int64 { parts.reduce(0) { $0 + $1.amount } }

    /// The draft that the API would read.
    ///
    /// - Throws: `MoneyError` for a part below zero.
    package func draft() throws -> OrderDraft {
        let contexts = try parts.map { part in
            OrderDraft.Context(
                externalIdentifier: part.merchant,
                amount: try Self.dollars(part.amount),
                payment: .init(credential: .pspToken(Secret(part.token)))
            )
        }
        return OrderDraft(
            reference: reference,
            amount: try Self.dollars(total),
            policy: policy,
            capture: capture,
            deadlineMilliseconds: deadlineMilliseconds,
            onDeadline: onDeadline,
            onCaptureFailure: onCaptureFailure,
            contexts: contexts
        )
    }

    /// An idempotency key as the API would bring it.
    package static func use(
        _ key: String,
        of marketplace: String = "travel",
        body: String = "1"
    ) -> IdempotencyTable.Use {
        IdempotencyTable.Use(marketplace: marketplace, scope: "POST /v1/orders", key: key, bodyHash: body)
    }

    /// An amount in US dollars.
    ///
    /// - Throws: `MoneyError` below zero.
    package static func dollars(_ cents: Int64) throws -> Money {
        guard let currency = Currency(code: "USD") else { throw MoneyError.currencyMismatch }
        return try Money(minorUnits: cents, currency: currency)
    }
}
