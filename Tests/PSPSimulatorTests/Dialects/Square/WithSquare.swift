import PSPSimulator
import StrictJSON
import Testing

/// Runs `body` against a simulator that speaks Square.
func withSquare(_ body: (SquareDriver, RunningSimulator) async throws -> Void) async throws {
    try await withSimulator(dialect: .square) { simulator, client in
        try await body(SquareDriver(client), simulator)
        #expect(await simulator.read { books, _ in books.violations } == [])
    }
}

extension RawReply {
    /// The code of the first error.
    var squareCode: String? { json?["errors"]?[0]?["code"]?.stringValue }

    /// The payment that it shows.
    var squarePayment: JSON? { json?["payment"] }
}
