/// The wire formats that the simulator speaks.
package enum DialectName: String, Hashable, Sendable, CaseIterable {
    /// The simulator's own.
    case simulator
    /// Stripe's API v1.
    case stripe
    /// Adyen's Checkout API.
    case adyen
    /// Square's Payments and Refunds API.
    case square
    /// Checkout.com's Unified Payments API.
    case checkout
    /// Authorize.Net's API.
    case authorizeNet = "authorize-net"
    /// Access Worldpay.
    case worldpay
    /// Braintree's GraphQL API.
    case braintree

    /// A dialect for one simulator, which remembers nothing yet.
    package var dialect: any PSPDialect {
        switch self {
        case .simulator: SimulatorDialect()
        case .stripe: StripeDialect()
        case .adyen: AdyenDialect()
        case .square: SquareDialect()
        case .checkout: CheckoutDialect()
        case .authorizeNet: AuthorizeNetDialect()
        case .worldpay: WorldpayDialect()
        case .braintree: BraintreeDialect()
        }
    }
}
