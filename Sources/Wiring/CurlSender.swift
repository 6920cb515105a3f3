package import AdapterKit
package import Gateway
package import HTTPTransport

/// The way to PSPs over libcurl.
package struct CurlSender: Sender {
    private let transport: HTTPTransport
    private let connectTimeoutMilliseconds: Int

    /// A sender over a transport, which its owner stops.
    package init(_ transport: HTTPTransport, connectTimeoutMilliseconds: Int = 5000) {
        self.transport = transport
        self.connectTimeoutMilliseconds = connectTimeoutMilliseconds
    }

    package func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
        guard var outgoing = outgoing(request, terms.timeoutMilliseconds) else {
            return .failure(reason: "no such method", mayHaveArrived: false)
        }
        outgoing.freshConnection = terms.freshConnection
        outgoing.bulkhead = terms.account
        outgoing.sendBefore = terms.launchMilliseconds.map { .now + .milliseconds($0) }
        outgoing.allowPlainHTTPToLoopback = true
        return await result(of: outgoing)
    }

    /// Sends a request to Apple, showing the merchant's identity.
    package func askApple(
        _ request: WireRequest,
        as identity: MerchantIdentity,
        timeoutMilliseconds: Int64
    ) async -> SendResult {
        guard var outgoing = outgoing(request, timeoutMilliseconds) else {
            return .failure(reason: "no such method", mayHaveArrived: false)
        }
        outgoing.clientIdentity = ClientIdentity(certificate: .bytes(identity.certificate), key: .bytes(identity.key))
        outgoing.trustedAuthorities = identity.authorities.map(PEM.bytes)
        return await result(of: outgoing)
    }

    private func outgoing(_ request: WireRequest, _ timeoutMilliseconds: Int64) -> HTTPRequest? {
        guard let method = HTTPMethod(rawValue: request.method.rawValue) else { return nil }
        var outgoing = HTTPRequest(
            method,
            request.url,
            headers: request.headers.map { HTTPHeader($0.name, $0.value) },
            body: request.body
        )
        outgoing.connectTimeoutMilliseconds = connectTimeoutMilliseconds
        outgoing.totalTimeoutMilliseconds = Int(timeoutMilliseconds)
        return outgoing
    }

    private func result(of outgoing: HTTPRequest) async -> SendResult {
        switch await transport.send(outgoing) {
        case .reply(let reply):
            let headers = reply.headers.map { Header($0.name, $0.value) }
            return .reply(WireReply(status: reply.status, headers: headers, body: reply.body))
        case .failure(let failure) where failure.onlyWaited && ![.stopped, .cancelled].contains(failure.reason):
            return .held(reason: failure.reason.rawValue)
        case .failure(let failure):
            return .failure(reason: failure.reason.rawValue, mayHaveArrived: failure.mayHaveArrived)
        }
    }
}
