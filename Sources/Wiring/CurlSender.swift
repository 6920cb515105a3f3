package import AdapterKit
package import CurlTransport
package import Gateway

/// The way to PSPs over libcurl.
package struct CurlSender: Sender {
    private let transport: CurlTransport
    private let connectTimeoutMilliseconds: Int

    /// A sender over a transport, which its owner stops.
    package init(_ transport: CurlTransport, connectTimeoutMilliseconds: Int = 5000) {
        self.transport = transport
        self.connectTimeoutMilliseconds = connectTimeoutMilliseconds
    }

    package func send(
        _ request: WireRequest,
        freshConnection: Bool,
        timeoutMilliseconds: Int64
    ) async -> SendResult {
        guard let method = HTTPMethod(rawValue: request.method.rawValue) else {
            return .failure(reason: "no such method", mayHaveArrived: false)
        }
        var outgoing = HTTPRequest(
            method,
            request.url,
            headers: request.headers.map { HTTPHeader($0.name, $0.value) },
            body: request.body
        )
        outgoing.connectTimeoutMilliseconds = connectTimeoutMilliseconds
        outgoing.totalTimeoutMilliseconds = Int(timeoutMilliseconds)
        outgoing.freshConnection = freshConnection
        outgoing.allowPlainHTTPToLoopback = true
        switch await transport.send(outgoing) {
        case .reply(let reply):
            let headers = reply.headers.map { Header($0.name, $0.value) }
            return .reply(WireReply(status: reply.status, headers: headers, body: reply.body))
        case .failure(let failure):
            return .failure(reason: failure.reason.rawValue, mayHaveArrived: failure.mayHaveArrived)
        }
    }
}
