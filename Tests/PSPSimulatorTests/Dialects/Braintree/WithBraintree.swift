import PSPSimulator

/// Runs `body` against a simulator that speaks Braintree's dialect.
func withBraintree(_ body: (BraintreeDriver, RunningSimulator) async throws -> Void) async throws {
    try await withSimulator(dialect: .braintree) { simulator, client in
        try await body(BraintreeDriver(client), simulator)
    }
}
