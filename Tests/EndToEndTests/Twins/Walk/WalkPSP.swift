import AdapterKit
import Domain
import Foundation
import Gateway
import PSPSimulator
import SeededRandom
import Simulation
import Synchronization
import TributaryTestKit

/// A PSP's twin that is reached by calls, over a network that loses, delays and mangles.
final class WalkPSP: Sender {
    /// What becomes of a request and its reply.
    private enum Travel: Sendable {
        case safe
        /// It provably never leaves.
        case neverLeft
        case requestLost
        case replyLost
        /// The connection is cut at once, before or behind what the PSP does.
        case cutBefore
        case cutAfter
        case errorBefore
        case garbled
        /// It arrives so many milliseconds later, when its sender has given up.
        case delayed(Int64)
    }

    private struct State {
        var dice: SeededRandom
        var isFaithful = false
        var calls = 0
        var open = 0
        var delayed: [(at: Int64, method: String, request: PSPRequest)] = []
        var story: [String] = []
    }

    /// The twin.
    let simulator: LocalSimulator
    private let clock: ManualClock
    private let state: Mutex<State>

    /// How long a call may take.
    private static let timeout: Int64 = 60_000

    /// Puts a twin behind a network that the seed determines.
    init(_ simulator: LocalSimulator, _ clock: ManualClock, seed: UInt64) {
        self.simulator = simulator
        self.clock = clock
        state = Mutex(State(dice: SeededRandom(seed: seed &+ 33)))
    }

    /// How many calls were made.
    var calls: Int { state.withLock { $0.calls } }

    /// Whether a call is under way, or a request that its sender has given up.
    var isBusy: Bool { state.withLock { $0.open > 0 || !$0.delayed.isEmpty } }

    /// What befell requests since this was last asked.
    func takeStory() -> [String] {
        state.withLock { state in
            defer { state.story = [] }
            return state.story
        }
    }

    /// Loses, delays and mangles nothing any more.
    func settleDown() { state.withLock { $0.isFaithful = true } }

    /// The next moment at which a delayed request arrives, in milliseconds since 1970.
    var nextArrival: Int64? { state.withLock { $0.delayed.map(\.at).min() } }

    /// Lets the requests arrive whose moment has come.
    func deliver() async {
        let now = clock.now().microseconds / 1000
        let arrived = state.withLock { state in
            defer { state.delayed.removeAll { $0.at <= now } }
            return state.delayed.filter { $0.at <= now }.sorted { $0.at < $1.at }
        }
        for (_, method, request) in arrived { _ = try? await simulator.answer(method, request) }
    }

    func send(_ wire: WireRequest, _ terms: SendTerms) async -> SendResult {
        let (method, request) = Self.request(wire)
        let travel = state.withLock { state in
            state.calls += 1
            state.open += 1
            let travel = Self.travel(&state.dice, isFaithful: state.isFaithful, movesMoney: wire.canMoveMoney)
            if case .safe = travel {} else { state.story.append("\(method) \(wire.url.suffix(60)): \(travel)") }
            return travel
        }
        defer {
            state.withLock {
                $0.open -= 1
                $0.calls += 1
            }
        }
        switch travel {
        case .safe: return await answer(method, request)
        case .neverLeft: return .failure(reason: "no connection", mayHaveArrived: false)
        case .requestLost: return await silence()
        case .replyLost:
            _ = await answer(method, request)
            return await silence()
        case .cutBefore: return .failure(reason: "cut", mayHaveArrived: true)
        case .cutAfter:
            _ = await answer(method, request)
            return .failure(reason: "cut", mayHaveArrived: true)
        case .errorBefore: return .reply(Self.reply(simulator.serverError))
        case .garbled:
            guard case .reply(var reply) = await answer(method, request) else { return await silence() }
            reply.body = Array(reply.body.prefix(reply.body.count / 2))
            return .reply(reply)
        case .delayed(let milliseconds):
            let at = clock.now().microseconds / 1000 + milliseconds
            state.withLock { $0.delayed.append((at, method, request)) }
            return await silence()
        }
    }

    /// What a caller gets who waits for a reply that does not come.
    private func silence() async -> SendResult {
        try? await clock.sleep(until: clock.now().adding(milliseconds: Self.timeout))
        return .failure(reason: "timeout", mayHaveArrived: true)
    }

    private func answer(_ method: String, _ request: PSPRequest) async -> SendResult {
        guard let answer = try? await simulator.answer(method, request) else {
            return .reply(WireReply(status: 404))
        }
        switch answer.1 {
        case .answer(afterMilliseconds: let wait):
            if wait > 0 { try? await clock.sleep(until: clock.now().adding(milliseconds: wait)) }
            return .reply(Self.reply(answer.0))
        case .twice: return .reply(Self.reply(answer.0))
        case .stall: return await silence()
        case .close: return .failure(reason: "closed", mayHaveArrived: true)
        case .serverError: return .reply(Self.reply(simulator.serverError))
        case .truncate:
            var reply = Self.reply(answer.0)
            reply.body = Array(reply.body.prefix(reply.body.count / 2))
            return .reply(reply)
        }
    }

    private static func travel(_ dice: inout SeededRandom, isFaithful: Bool, movesMoney: Bool) -> Travel {
        guard !isFaithful else { return .safe }
        let later = Int64.random(in: 1...timeout, using: &dice)
        let travels: [(Int, Travel)] = [
            (70, .safe), (3, .neverLeft), (5, .requestLost), (6, .replyLost), (3, .cutBefore), (4, .cutAfter),
            (3, .errorBefore), (3, .garbled), (movesMoney ? 3 : 0, .delayed(later)),
        ]
        return dice.pick(travels.map { (weight: $0.0, value: $0.1) })
    }

    private static func reply(_ reply: PSPReply) -> WireReply {
        let headers = [Header("Content-Type", reply.contentType)] + reply.headers.map { Header($0.name, $0.value) }
        return WireReply(status: reply.status, headers: headers, body: reply.body)
    }

    /// The request as the twin reads it: the path without the base, the query decoded.
    private static func request(_ wire: WireRequest) -> (method: String, PSPRequest) {
        let rest = wire.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var request = PSPRequest(path: String(parts.first ?? ""), origin: WalkStage.pspURL)
        request.headers = wire.headers.map { ($0.name, $0.value) }
        request.body = wire.body
        for field in (parts.dropFirst().first ?? "").split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(decoded)
            request.query.append((name: pair[0], value: pair.count > 1 ? pair[1] : ""))
        }
        return (wire.method.rawValue, request)
    }

    private static func decoded(_ text: Substring) -> String {
        text.replacing("+", with: " ").removingPercentEncoding ?? String(text)
    }
}
