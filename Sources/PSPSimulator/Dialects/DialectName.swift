/// The wire formats that the simulator speaks.
package enum DialectName: String, Hashable, Sendable, CaseIterable {
    /// The simulator's own.
    case simulator
    /// Stripe's API v1.
    case stripe
    /// Adyen's Checkout API.
    case adyen
    /// Braintree's GraphQL API.
    case braintree

    /// A dialect for one simulator, which remembers nothing yet.
    package var dialect: any Dialect {
        switch self {
        case .simulator: SimulatorDialect()
        case .stripe: StripeDialect()
        case .adyen: AdyenDialect()
        case .braintree: BraintreeDialect()
        }
    }
}
