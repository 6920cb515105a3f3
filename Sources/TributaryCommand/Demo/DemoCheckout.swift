import Domain
import HTTPTransport
import StrictJSON
import TributaryClient

/// The marketplace's checkout: it talks to the gateway over HTTP, and reads a PSP's books.
struct DemoCheckout {
    /// Where the gateway is.
    let gatewayURL: String
    /// The checkout's API key.
    let apiKey: Secret
    private let client: TributaryClient
    private let transport: HTTPTransport

    init(_ transport: HTTPTransport, gatewayURL: String, apiKey: Secret) {
        self.transport = transport
        self.gatewayURL = gatewayURL
        self.apiKey = apiKey
        // Each try is part of the story.
        let settings = TributaryClient.Settings(repeats: 0)
        client = TributaryClient(baseURL: gatewayURL, key: apiKey.reveal(), settings: settings, transport: transport)
    }

    /// Places an order; the same key again asks for the same order.
    ///
    /// - Returns: the order; nil if no answer came.
    /// - Throws: ``CommandFailure`` if the gateway refused it.
    func place(_ order: JSON, key: String) async throws -> JSON? {
        do throws(TributaryClient.Failure) {
            return try await client.place(order, idempotencyKey: key).document
        } catch {
            if case .noAnswer = error { return nil }
            throw Self.surprise(error)
        }
    }

    /// Reads an order.
    ///
    /// - Throws: ``CommandFailure`` if there is no such order, or no answer.
    func order(_ id: String) async throws -> JSON {
        do throws(TributaryClient.Failure) {
            return try await client.order(id).document
        } catch {
            try Task.checkCancellation()
            throw Self.surprise(error)
        }
    }

    /// Sends what the client has no call for.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path.
    ///   - body: the body.
    ///   - key: the idempotency key; nil for none.
    /// - Returns: the answer.
    /// - Throws: ``CommandFailure`` if it is refused, or not answered.
    func send(_ method: HTTPMethod, _ path: String, _ body: JSON, key: String?) async throws -> JSON {
        var request = HTTPRequest(method, gatewayURL + path, body: body.bytes)
        request.headers = [
            HTTPHeader("Authorization", "Bearer \(apiKey.reveal())"), HTTPHeader("Content-Type", "application/json"),
        ]
        if let key { request.headers.append(HTTPHeader("Idempotency-Key", key)) }
        request.allowPlainHTTPToLoopback = true
        guard case .reply(let reply) = await transport.send(request) else {
            try Task.checkCancellation()
            throw CommandFailure.finding("no answer to \(request)")
        }
        guard (200..<300).contains(reply.status), let json = try? JSON.parse(reply.body) else {
            throw CommandFailure.finding("\(request) was answered \(reply.status)")
        }
        return json
    }

    /// Reads the books of a PSP.
    ///
    /// - Throws: ``CommandFailure`` if it does not answer.
    func books(at baseURL: String) async throws -> JSON {
        var request = HTTPRequest(.get, baseURL + "/books")
        request.allowPlainHTTPToLoopback = true
        request.replyLimitBytes = 16 * 1_048_576
        guard case .reply(let reply) = await transport.send(request) else {
            try Task.checkCancellation()
            throw CommandFailure.finding("no answer to \(request)")
        }
        guard reply.status == 200, let json = try? JSON.parse(reply.body) else {
            throw CommandFailure.finding("\(request) was answered \(reply.status)")
        }
        return json
    }

    private static func surprise(_ failure: TributaryClient.Failure) -> CommandFailure {
        switch failure {
        case .refused(let problem):
            .finding("the gateway refused: \(problem.status) \(problem.code), \(problem.detail.harmless)")
        case .noAnswer(let answer): .finding("the gateway did not answer: \(answer.reason.harmless)")
        case .unreadable(let status, _): .finding("the gateway's answer (\(status)) cannot be read")
        case .nothingNamed: .finding("the call names no payment")
        }
    }
}
