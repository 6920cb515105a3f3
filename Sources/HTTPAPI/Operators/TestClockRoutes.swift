import Domain
package import Gateway
import Hummingbird
import SQL
package import StrictJSON

/// `/v1/test-clock`: what time it is in a marketplace, and moving that forward in a test marketplace.
struct TestClockRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator
    let body: RequestBody
    let log: ActLog

    func add(to router: Router<APIContext>) {
        router.get("/v1/test-clock") { request, context in try await show(request, context) }
        router.post("/v1/test-clock/advance") { request, context in try await advance(request, context) }
    }

    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .support, .operator, .admin)
        _ = try Query(of: request, allowing: [])
        let reading = try await Problem.acting { try await TestClocks(gateway).reading(of: principal.marketplace) }
        return .json(TestClockPresenter.json(reading))
    }

    /// Moves the clock forward; what is due by then is done within seconds.
    private func advance(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator, .admin)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let wanted = try Problem.reading { () throws(InvalidDocument) in try TestClocks.Advance(json) }
        let reading = try await Problem.acting {
            try await TestClocks(gateway).advance(principal.marketplace, wanted, by: principal.actor)
        }
        log.note(.advanceTestClock, reading.time.description, by: principal)
        return .json(TestClockPresenter.json(reading))
    }
}

/// Writes what a clock shows as the API shows it.
package enum TestClockPresenter {
    /// A reading as JSON.
    package static func json(_ reading: TestClocks.Reading) -> JSON {
        [
            "livemode": .bool(reading.clock.isLive), "now": .string(reading.time.description),
            "real_now": .string(reading.realTime.description),
            "ahead_seconds": .integer((reading.clock.aheadMicroseconds ?? 0) / 1_000_000),
        ]
    }
}

extension TestClocks.Advance {
    /// The body of `POST /v1/test-clock/advance`: `to` or `by_seconds`.
    ///
    /// - Throws: `InvalidDocument`.
    fileprivate init(_ json: JSON) throws(InvalidDocument) {
        self = try json.read(refusingNull: true) { body in
            let time = body.parsed("to", .optional, expecting: "a moment as 2026-11-21T07:40:09Z") {
                RFC3339.timestamp($0, .strict)
            }
            let seconds = body.integer("by_seconds", .optional, in: 1...MarketplaceClock.limitSeconds)
            switch (body.contains("to"), body.contains("by_seconds")) {
            case (true, true): body.refuse("by_seconds", "contradiction", "Say to or by_seconds, not both.")
            case (false, false): body.refuse("to", "missing_field", "Say to or by_seconds.")
            default: break
            }
            return time.map(Self.to) ?? seconds.map(Self.bySeconds)
        }
    }
}

extension Problem {
    /// Why a clock is not moved.
    init(_ refusal: TestClockRefusal) {
        switch refusal {
        case .liveMarketplace:
            self.init(
                status: .conflict,
                code: "not_in_live_mode",
                detail: "The marketplace is live: its clock is the real time, which nobody moves."
            )
        case .backwards(let shown):
            self = .invalid([
                Violation(
                    pointer: "/to",
                    code: "clock_backwards",
                    detail: "The clock shows \(shown) already, and is never moved backwards."
                )
            ])
        case .tooFar(let last):
            self = .invalid([
                Violation(pointer: "", code: "clock_too_far", detail: "The clock may show no later time than \(last).")
            ])
        }
    }
}
