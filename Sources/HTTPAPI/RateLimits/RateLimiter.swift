import Domain
import Gateway
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Counts requests by key and by address, and refuses those beyond the limits of this instance (429).
///
/// A request counts for its key if that is valid and no publishable one, which everybody has who reads a page; and for its
/// address otherwise.
final class RateLimiter: Sendable {
    /// By what a request was refused.
    enum Basis: String, MetricLabels, CaseIterable {
        case key
        case address

        static let names = ["by"]

        var values: [String] { [rawValue] }
    }

    /// How many keys, and how many addresses, are remembered; about 100 bytes each.
    private static let room = 16_384

    private struct State {
        var keys: RateBook<KeyID>?
        var addresses: RateBook<NetworkAddress>?
    }

    private let limits: RateLimits
    private let now: @Sendable () -> Int64
    private let state: Mutex<State>

    /// How many were refused since the process began.
    let refusals = CounterFamily<Basis>(
        "tributary_rate_limited_requests_total",
        "Requests refused with 429 because their key or their address sent too many.",
        startingWith: Basis.allCases
    )

    /// A limiter that has seen nobody.
    ///
    /// - Parameters:
    ///   - limits: what each may.
    ///   - now: nanoseconds of a clock that never goes back.
    init(
        _ limits: RateLimits,
        now: @escaping @Sendable () -> Int64 = { Int64(NIODeadline.now().uptimeNanoseconds) }
    ) {
        self.limits = limits
        self.now = now
        state = Mutex(
            State(
                keys: limits.key.map { RateBook($0, room: Self.room) },
                addresses: limits.address.map { RateBook($0, room: Self.room) }
            )
        )
    }

    /// Counts a request for its key.
    ///
    /// - Throws: a 429 ``Problem`` if the key has sent too many.
    func count(_ key: KeyID, _ context: APIContext) throws(Problem) {
        let verdict = state.withLock { $0.keys?.take(key, at: now()) }
        try settle(verdict, limits.key, .key, context)
    }

    /// Counts a request for its address, if it has one.
    ///
    /// - Throws: a 429 ``Problem`` if the address has sent too many.
    func countAddress(_ context: APIContext) throws(Problem) {
        guard let address = context.countedAddress.flatMap({ NetworkAddress($0) }) else { return }
        let verdict = state.withLock { $0.addresses?.take(address.site, at: now()) }
        try settle(verdict, limits.address, .address, context)
    }

    private func settle(
        _ verdict: RateVerdict?,
        _ limit: RateLimits.Limit?,
        _ basis: Basis,
        _ context: APIContext
    ) throws(Problem) {
        guard let verdict, let limit else { return }
        context.rate.note(
            policy: "\"\(basis.rawValue)\";q=\(limit.burst);w=\(Self.seconds(limit.window))",
            left: "\"\(basis.rawValue)\";r=\(verdict.remaining);t=\(Self.seconds(verdict.reset))"
        )
        guard !verdict.isAdmitted else { return }
        refusals.increment(basis)
        throw Problem(
            status: .tooManyRequests,
            code: "rate_limited",
            detail: basis == .key
                ? "This key has sent more requests than it may." : "This address has sent more requests than it may.",
            retryAfterSeconds: Int(Self.seconds(verdict.wait))
        )
    }

    /// Nanoseconds as whole seconds, at least one.
    private static func seconds(_ nanoseconds: Int64) -> Int64 { max(1, (nanoseconds + 999_999_999) / 1_000_000_000) }
}

/// Counts for its address whatever comes without a valid key.
///
/// Not those who look whether the server is well, and not webhooks, which come in bursts and are known by their signature.
/// A key that is shown has to be looked up first, so that nobody shuts out a neighbor behind the same address; a wrong one
/// counts then, and beyond the limit is no longer told that it is wrong. What is refused for a reason of ours before the key is
/// known (no room, no database) is held against nobody.
struct RateLimitMiddleware: RouterMiddleware {
    private static let probes: Set<String> = ["/livez", "/readyz", "/metrics"]
    private static let webhooks = "/v1/psp/"

    let limiter: RateLimiter

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path.utf8
        let isCounted =
            !Self.probes.contains { path.elementsEqual($0.utf8) } && !path.starts(with: Self.webhooks.utf8)
        guard isCounted else { return try await next(request, context) }
        guard request.headers[.authorization] != nil else {
            try limiter.countAddress(context)
            return try await next(request, context)
        }
        let response: Response
        do {
            response = try await next(request, context)
        } catch let problem as Problem where problem.status.code < 500 {
            if context.shownKey.id == nil { try limiter.countAddress(context) }
            throw problem
        }
        if context.shownKey.id == nil, response.status.code < 500 { try limiter.countAddress(context) }
        return response
    }
}
