import HTTPTransport
import StrictJSON
import WireFormats

/// Sends a client's requests, again where that is safe and may help.
struct ClientWire: Sendable {
    let transport: HTTPTransport
    let baseURL: String
    let key: String
    var settings: TributaryClient.Settings
    /// The certificate authorities to trust instead of the system's.
    var authorities: PEM?

    /// A 2xx answer.
    struct Answer: Sendable {
        /// Its body.
        let json: JSON
        /// Whether an earlier request under the same key was answered so.
        let isReplayed: Bool
        /// Its status.
        let status: Int
        /// The key that was asked under, if there is one.
        var idempotencyKey: String?

        /// What `body` makes of the document.
        ///
        /// - Throws: ``TributaryClient/Failure/unreadable(status:idempotencyKey:)``, for what was asked is done by then.
        func read<Value>(_ body: (JSON) throws(Unreadable) -> Value) throws(TributaryClient.Failure) -> Value {
            do throws(Unreadable) {
                return try body(json)
            } catch {
                throw .unreadable(status: status, idempotencyKey: idempotencyKey)
            }
        }
    }

    /// A document that is none of the API's.
    struct Unreadable: Error {}

    /// Sends a request, and again after a lost connection, 408, 429, 502, 503 and 504.
    ///
    /// A refusal tells of its own try alone: where an earlier one may have arrived, what came of that stays open.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path with its query.
    ///   - body: the body, if any.
    ///   - idempotencyKey: the key, the same for each try; nil for what may be repeated without one.
    /// - Returns: a 2xx answer.
    /// - Throws: ``TributaryClient/Failure``.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        body: JSON? = nil,
        idempotencyKey: String? = nil
    ) async throws(TributaryClient.Failure) -> Answer {
        let request = request(method, path, body, idempotencyKey)
        var mayHaveArrived = false
        var number = 0
        while true {
            let attempt = await attempt(request)
            mayHaveArrived = mayHaveArrived || attempt.isInDoubt
            guard case .passing(let trouble, let retryAfter) = attempt.outcome, number < settings.repeats else {
                return try conclude(attempt.outcome, mayHaveArrived, idempotencyKey)
            }
            do {
                try await Task.sleep(for: pause(behind: number, retryAfter))
            } catch {
                throw .noAnswer(trouble.without(mayHaveArrived, idempotencyKey))
            }
            number += 1
        }
    }

    /// How long to wait behind a try, counted from 0: at least half of the doubled pause, and what the server asks for.
    func pause(behind number: Int, _ retryAfter: Duration?) -> Duration {
        let doubled = min(settings.firstPause * (1 << min(number, 20)), settings.longestPause)
        let shaken = doubled * Double.random(in: 0.5...1)
        guard let retryAfter else { return shaken }
        return max(shaken, min(retryAfter, settings.longestPause))
    }

    /// Text as one segment of a path.
    static func escaped(_ segment: String) -> String { PercentEncoding.encode(segment) }

    // MARK: One try

    /// What one try came to.
    private struct Attempt {
        let outcome: Outcome
        /// Whether it may have been done although its answer does not say so.
        let isInDoubt: Bool
    }

    private enum Outcome {
        case answer(Answer)
        case final(TributaryClient.Failure)
        case passing(Trouble, retryAfter: Duration?)
    }

    /// Why a try may be repeated.
    private enum Trouble {
        case refused(TributaryClient.Problem)
        case lost(String)

        func without(_ mayHaveArrived: Bool, _ key: String?) -> TributaryClient.NoAnswer {
            switch self {
            case .refused(let problem):
                TributaryClient.NoAnswer(
                    reason: "\(problem.status) \(problem.code)",
                    idempotencyKey: key,
                    mayHaveHappened: mayHaveArrived
                )
            case .lost(let reason):
                TributaryClient.NoAnswer(reason: reason, idempotencyKey: key, mayHaveHappened: mayHaveArrived)
            }
        }
    }

    private func request(_ method: HTTPMethod, _ path: String, _ body: JSON?, _ key: String?) -> HTTPRequest {
        var request = HTTPRequest(method, baseURL + path, body: body?.bytes ?? [])
        request.headers = [
            HTTPHeader("Authorization", "Bearer " + self.key), HTTPHeader("Accept", "application/json"),
            HTTPHeader("Tributary-Version", TributaryClient.apiVersion),
        ]
        if body != nil { request.headers.append(HTTPHeader("Content-Type", "application/json")) }
        if let key { request.headers.append(HTTPHeader("Idempotency-Key", key)) }
        request.allowPlainHTTPToLoopback = true
        request.replyLimitBytes = 16 * 1_048_576
        request.trustedAuthorities = authorities
        let (seconds, fraction) = settings.timeLimit.components
        request.totalTimeoutMilliseconds = Int(clamping: seconds * 1000 + fraction / 1_000_000_000_000_000)
        return request
    }

    private func attempt(_ request: HTTPRequest) async -> Attempt {
        switch await transport.send(request) {
        case .failure(let failure): Self.lost(failure)
        case .reply(let reply): Self.answered(reply)
        }
    }

    private static func lost(_ failure: TransportFailure) -> Attempt {
        let trouble = Trouble.lost(failure.description)
        switch failure.reason {
        case .couldNotResolve, .couldNotConnect, .timedOut, .launchTimePassed, .connectionClosed, .queueFull,
            .malformedReply, .tlsFailed:
            return Attempt(outcome: .passing(trouble, retryAfter: nil), isInDoubt: failure.mayHaveArrived)
        case .replyTooLarge, .cancelled, .refusedURL, .refusedAddress, .refusedHeader, .stopped, .transportFault:
            let answer = trouble.without(failure.mayHaveArrived, nil)
            return Attempt(outcome: .final(.noAnswer(answer)), isInDoubt: failure.mayHaveArrived)
        }
    }

    private static func answered(_ reply: HTTPReply) -> Attempt {
        let json = try? JSON.parse(reply.body)
        switch reply.status {
        case 200..<300:
            guard let json else {
                let failure = TributaryClient.Failure.unreadable(status: reply.status, idempotencyKey: nil)
                return Attempt(outcome: .final(failure), isInDoubt: true)
            }
            let isReplayed = reply.header("Idempotent-Replayed") == "true"
            let answer = Answer(json: json, isReplayed: isReplayed, status: reply.status)
            return Attempt(outcome: .answer(answer), isInDoubt: false)
        case 502, 503, 504:
            return Attempt(
                outcome: .passing(.lost("HTTP \(reply.status)"), retryAfter: retryAfter(reply)),
                isInDoubt: true
            )
        case 408, 429:
            let problem = TributaryClient.Problem(status: reply.status, reading: json)
            // A 408 without a code is a proxy's, and may be about a server that was slow to answer.
            let isInDoubt = reply.status == 408 && !problem.hasCode
            return Attempt(outcome: .passing(.refused(problem), retryAfter: retryAfter(reply)), isInDoubt: isInDoubt)
        case 400..<500:
            let problem = TributaryClient.Problem(status: reply.status, reading: json)
            return Attempt(outcome: .final(.refused(problem)), isInDoubt: false)
        default:
            let doubt = Trouble.lost("HTTP \(reply.status)").without(true, nil)
            return Attempt(outcome: .final(.noAnswer(doubt)), isInDoubt: true)
        }
    }

    /// The seconds that the server asks to wait for; a date is not read.
    private static func retryAfter(_ reply: HTTPReply) -> Duration? {
        reply.header("Retry-After").flatMap { Int64($0) }.flatMap { (0...86_400).contains($0) ? .seconds($0) : nil }
    }

    private func conclude(
        _ outcome: Outcome,
        _ mayHaveArrived: Bool,
        _ key: String?
    ) throws(TributaryClient.Failure) -> Answer {
        switch outcome {
        case .answer(var answer):
            answer.idempotencyKey = key
            return answer
        case .final(.noAnswer(let answer)):
            throw .noAnswer(.init(reason: answer.reason, idempotencyKey: key, mayHaveHappened: mayHaveArrived))
        case .final(.unreadable(let status, _)): throw .unreadable(status: status, idempotencyKey: key)
        // What needs no key is the same however often it is done: its last answer counts.
        case .final(.refused(let problem)) where mayHaveArrived && key != nil:
            throw .noAnswer(Trouble.refused(problem).without(true, key))
        case .final(let failure): throw failure
        case .passing(.refused(let problem), _) where !mayHaveArrived: throw .refused(problem)
        case .passing(let trouble, _): throw .noAnswer(trouble.without(mayHaveArrived, key))
        }
    }
}
