import PSPSimulator
import Testing

/// The dialects that have to tell the stories of all dialects.
enum Twins {
    /// Every dialect but the simulator's own, which has its own tests.
    static let names = DialectName.allCases.filter { $0 != .simulator }

    /// Who speaks a dialect.
    static func driver(_ name: DialectName) -> any TwinDriver.Type {
        switch name {
        case .simulator, .stripe: StripeDriver.self
        case .adyen: AdyenDriver.self
        case .square: SquareDriver.self
        case .checkout: CheckoutDriver.self
        case .authorizeNet: AuthorizeNetDriver.self
        case .worldpay: WorldpayDriver.self
        case .braintree: BraintreeDriver.self
        }
    }
}

/// Runs `body` against a simulator that speaks the dialect.
func withTwin(
    _ name: DialectName,
    _ body: (any TwinDriver, RunningSimulator) async throws -> Void
) async throws {
    try await withSimulator(dialect: name) { simulator, client in
        try await body(Twins.driver(name).init(client), simulator)
        #expect(await simulator.read { books, _ in books.violations } == [])
    }
}
