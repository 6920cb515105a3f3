import HTTPTransport

/// Runs a body with a transport that is stopped afterwards.
func withTransport<Answer>(
    _ limits: TransportLimits = TransportLimits(),
    _ body: (HTTPTransport) async throws -> Answer
) async rethrows -> Answer {
    let transport = HTTPTransport(limits: limits)
    do {
        let answer = try await body(transport)
        await transport.stop()
        return answer
    } catch {
        await transport.stop()
        throw error
    }
}

extension HTTPRequest {
    /// A request in plain http to a port of this machine, with more time than any test takes.
    static func loopback(_ port: UInt16, method: HTTPMethod = .post, path: String = "/", body: String = "a=1") -> Self {
        var request = HTTPRequest(
            method,
            "http://127.0.0.1:\(port)\(path)",
            body: method == .get ? [] : Array(body.utf8)
        )
        request.allowPlainHTTPToLoopback = true
        request.connectTimeoutMilliseconds = 600_000
        request.totalTimeoutMilliseconds = 600_000
        return request
    }

    /// The same request, changed.
    func with(_ change: (inout HTTPRequest) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension HTTPResult {
    var reply: HTTPReply? { if case .reply(let reply) = self { reply } else { nil } }
    var failure: TransportFailure? { if case .failure(let failure) = self { failure } else { nil } }
    /// The failure without its words, which are libcurl's.
    var verdict: Verdict? { failure.map { Verdict($0.reason, mayHaveArrived: $0.mayHaveArrived) } }
}

/// What a caller decides on: why it failed, and whether the request may have arrived.
struct Verdict: Hashable, Sendable, CustomStringConvertible {
    let reason: TransportFailure.Reason
    let mayHaveArrived: Bool

    init(_ reason: TransportFailure.Reason, mayHaveArrived: Bool) {
        self.reason = reason
        self.mayHaveArrived = mayHaveArrived
    }

    var description: String { "\(reason), \(mayHaveArrived ? "may have arrived" : "never sent")" }
}
