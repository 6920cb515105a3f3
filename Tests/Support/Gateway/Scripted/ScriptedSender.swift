package import AdapterKit
import Domain
package import Gateway

/// A PSP in the test's own hands, in the simulator's dialect: it says exactly what becomes of each request, and when.
///
/// What the script does not mention is approved at once. Requests are told apart by the token of their authorization.
package actor ScriptedSender: Sender {
    private struct Line: Hashable {
        let token: String
        let kind: ScriptedCall.Kind
    }

    /// Every request, in the order it came, those that were lost on their way included.
    package private(set) var calls: [ScriptedCall] = []

    private var books: ScriptedBooks
    private var once: [Line: [ScriptedBehaviour]] = [:]
    private var always: [Line: ScriptedBehaviour] = [:]
    private var held: [Line: [CheckedContinuation<Void, Never>]] = [:]
    private let arrivals = CommitSignal()
    private let clock: any GatewayClock

    /// A PSP with empty books.
    ///
    /// - Parameters:
    ///   - clock: what slow replies and silences are measured by.
    ///   - keys: which replies are kept under the key of a request.
    ///   - visibilityMilliseconds: how long what it does is hidden from inquiries.
    package init(clock: any GatewayClock, keys: ScriptedKeys = .outcomes, visibilityMilliseconds: Int64 = 0) {
        self.clock = clock
        books = ScriptedBooks(keys: keys, visibilityMilliseconds: visibilityMilliseconds)
    }

    /// What becomes of the next requests of a kind, one behaviour for each.
    package func script(_ token: String, _ kind: ScriptedCall.Kind, _ behaviours: ScriptedBehaviour...) {
        once[Line(token: token, kind: kind), default: []] += behaviours
    }

    /// What becomes of every request of a kind that ``script(_:_:_:)`` does not mention; nil for the usual.
    package func always(_ token: String, _ kind: ScriptedCall.Kind, _ behaviour: ScriptedBehaviour?) {
        always[Line(token: token, kind: kind)] = behaviour
    }

    /// Lets go of the replies and requests of a kind that are held.
    package func release(_ token: String, _ kind: ScriptedCall.Kind) {
        let line = Line(token: token, kind: kind)
        for continuation in held.removeValue(forKey: line) ?? [] { continuation.resume() }
    }

    /// Lets go of everything that is held.
    package func releaseAll() {
        for continuation in held.values.joined() { continuation.resume() }
        held = [:]
    }

    /// Waits until so many requests of a kind have come.
    ///
    /// - Throws: ``HarnessFailure/neverAsked(_:)`` if they do not come in time.
    package func arrival(of kind: ScriptedCall.Kind, _ token: String, count wanted: Int = 1) async throws {
        let end = ContinuousClock.now + .patience
        while case let seen = arrivals.count, count(kind, token) < wanted {
            guard ContinuousClock.now < end else { throw HarnessFailure.neverAsked("\(kind) \(token)") }
            await arrivals.wait(beyond: seen)
        }
    }

    /// The books.
    package var authorizations: [ScriptedAuthorization] { books.authorizations }

    /// The buyer took the step that the authorization with this token asked for.
    package func finishAction(of token: String) { books.finishAction(of: token) }

    /// The PSP lets go of what it holds for this token.
    package func expire(_ token: String) { books.expire(token) }

    /// The PSP takes what it holds for this token, and tells nobody.
    package func captureSilently(_ token: String) { books.captureSilently(token) }

    /// What the PSP took for this token has not settled: it can be undone as a whole, and not refunded.
    package func unsettle(_ token: String) { books.unsettle(token) }

    /// How many requests of a kind have come, for one token or for all.
    package func count(_ kind: ScriptedCall.Kind, _ token: String? = nil) -> Int {
        calls.count { $0.kind == kind && (token == nil || $0.token == token) }
    }

    package func send(_ wire: WireRequest, _ terms: SendTerms) async -> SendResult {
        guard let request = ScriptedRequest(wire) else { return .reply(ScriptedReply.refusal("invalid_request")) }
        let token = books.token(of: request) ?? ""
        let line = Line(token: token, kind: request.kind)
        let behaviour = next(line)
        calls.append(
            ScriptedCall(
                token: token,
                kind: request.kind,
                key: request.key,
                isFresh: terms.freshConnection,
                body: wire.body
            )
        )
        arrivals.give()
        switch behaviour.travel {
        case .neverLeft: return .failure(reason: "could not connect", mayHaveArrived: false)
        case .requestLost: return .failure(reason: "timed out", mayHaveArrived: true)
        case .errorBefore:
            let kept = books.repeatsErrors ? books.keptAnswer(to: request) : nil
            if kept == nil { books.answeredError(request) }
            return .reply(kept ?? ScriptedReply.serverError)
        case .silence: return await timeOut(after: terms.timeoutMilliseconds)
        case .delayed: await hold(line)
        case .safe, .replyLost, .errorAfter, .errorLost, .garbled, .slow, .held: break
        }
        let reply = books.handle(request, behaviour.verdict, at: clock.now().microseconds)
        switch behaviour.travel {
        case .replyLost: return .failure(reason: "connection closed", mayHaveArrived: true)
        case .errorLost:
            books.answeredError(request)
            return .failure(reason: "connection closed", mayHaveArrived: true)
        case .errorAfter:
            books.answeredError(request)
            return .reply(ScriptedReply.serverError)
        case .garbled: return .reply(ScriptedReply.garbled)
        case .slow(let milliseconds): try? await clock.sleep(until: clock.now().adding(milliseconds: milliseconds))
        case .held: await hold(line)
        case .safe, .neverLeft, .requestLost, .errorBefore, .silence, .delayed: break
        }
        return .reply(ScriptedReply.answering(request, reply))
    }

    private func next(_ line: Line) -> ScriptedBehaviour {
        guard var left = once[line], !left.isEmpty else { return always[line] ?? ScriptedBehaviour() }
        let first = left.removeFirst()
        once[line] = left
        return first
    }

    private func hold(_ line: Line) async {
        await withCheckedContinuation { held[line, default: []].append($0) }
    }

    private func timeOut(after milliseconds: Int64) async -> SendResult {
        try? await clock.sleep(until: clock.now().adding(milliseconds: milliseconds))
        return .failure(reason: "timed out", mayHaveArrived: true)
    }
}
