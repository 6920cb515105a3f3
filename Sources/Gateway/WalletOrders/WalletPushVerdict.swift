import AdapterKit
import Domain
import Storage
import StrictJSON

/// What an answer of APNs means for the device that was pushed: a pure function.
///
/// Source: Apple, "Handling notification responses from APNs". A token that is no more ends the registration; what Apple is
/// busy with is tried again later and later; what is wrong with the certificate is for somebody to see to.
struct WalletPushVerdict: Hashable, Sendable {
    /// What is written down.
    let outcome: WalletPushQueue.Outcome
    /// What operators are told; nil for nothing.
    let problem: String?
    /// What kind of problem it is.
    let kind: WalletProblem.Kind

    /// Whether Apple took the certificate, though maybe not the device's token.
    var isTaken: Bool {
        switch outcome {
        case .delivered, .gone: true
        case .again: false
        }
    }

    /// The pause behind the first failure, and the longest one.
    private static let (firstPause, longestPause): (Int64, Int64) = (1000, 3_600_000)
    /// The pause behind what somebody has to see to.
    private static let problemPause: Int64 = 300_000
    /// How soon what signs is looked for again where it cannot be used.
    private static let unusablePause: Int64 = 60_000
    /// The most of Apple's own words that is kept.
    private static let reasonLimit = 100

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - result: the answer, or that there is none.
    ///   - failures: how many pushes failed since the last one that was taken.
    ///   - now: the real time.
    init(_ result: SendResult, after failures: Int64, at now: Timestamp) {
        switch result {
        case .reply(let reply): self.init(reply, after: failures, at: now)
        case .failure(let reason, _), .held(let reason):
            self.init(.again(at: now.adding(milliseconds: Self.pause(failures)), status: nil, reason: reason))
        }
    }

    /// What is left to do where there is nothing to push with: to the whole marketplace, or to this device alone.
    init(unusable reason: String, forAll: Bool, at now: Timestamp) {
        let next = now.adding(milliseconds: Self.unusablePause)
        let outcome = WalletPushQueue.Outcome.again(at: next, status: nil, reason: String(reason.prefix(200)))
        self.init(outcome, problem: forAll ? reason : nil, .unsigned)
    }

    private init(
        _ outcome: WalletPushQueue.Outcome,
        problem: String? = nil,
        _ kind: WalletProblem.Kind = .push
    ) {
        self.outcome = outcome
        self.problem = problem
        self.kind = kind
    }

    private init(_ reply: WireReply, after failures: Int64, at now: Timestamp) {
        let body = try? JSON.parse(reply.body, depthLimit: 8)
        let told = body?["reason"]?.stringValue.flatMap { WalletOrderDetails.line($0, limit: Self.reasonLimit) }
        let reason = told ?? "HTTP \(reply.status)"
        switch (reply.status, told) {
        case (200, _): self.init(.delivered(status: 200))
        case (410, _):
            let since = body?["timestamp"]?.integerValue.map { milliseconds in
                Timestamp(microseconds: 0).adding(milliseconds: milliseconds)
            }
            self.init(.gone(since: since))
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): self.init(.gone(since: nil))
        case (429, _), (500..., _):
            let pause = Self.retryAfter(reply).map { max($0, Self.firstPause) } ?? Self.pause(failures)
            let next = now.adding(milliseconds: min(pause, Self.longestPause))
            self.init(.again(at: next, status: Int64(reply.status), reason: reason))
        default:
            let next = now.adding(milliseconds: max(Self.problemPause, Self.pause(failures)))
            self.init(
                .again(at: next, status: Int64(reply.status), reason: reason),
                problem: "wallet_orders: APNs answers \(reply.status) \(reason)"
            )
        }
    }

    /// Doubles from failure to failure.
    private static func pause(_ failures: Int64) -> Int64 { min(firstPause << min(failures, 20), longestPause) }

    private static func retryAfter(_ reply: WireReply) -> Int64? {
        reply.headers.first { $0.name.lowercased() == "retry-after" }.flatMap { Int64($0.value) }
            .map { min($0, longestPause) * 1000 }
    }
}
