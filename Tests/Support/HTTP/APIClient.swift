package import HTTPTransport
package import StrictJSON

/// Sends requests to the API and reads what comes back.
package struct APIClient: Sendable {
    let transport: HTTPTransport
    let port: Int
    /// The API key that it shows.
    package let key: String?

    /// Reads.
    ///
    /// - Throws: `TransportFailure`.
    package func get(_ path: String) async throws -> APIReply { try await send(.get, path) }

    /// Posts a document, under an idempotency key if there is one.
    ///
    /// - Throws: `TransportFailure`.
    package func post(
        _ path: String,
        _ body: JSON,
        key: String? = nil,
        headers: [HTTPHeader] = []
    ) async throws -> APIReply {
        try await post(path, bytes: body.bytes, key: key, headers: headers)
    }

    /// Posts bytes as JSON, whatever they are.
    ///
    /// - Throws: `TransportFailure`.
    package func post(
        _ path: String,
        bytes: [UInt8],
        key: String? = nil,
        contentType: String = "application/json",
        headers: [HTTPHeader] = []
    ) async throws -> APIReply {
        let idempotency = key.map { [HTTPHeader("Idempotency-Key", $0)] } ?? []
        return try await send(
            .post,
            path,
            headers: [HTTPHeader("Content-Type", contentType)] + idempotency + headers,
            body: bytes
        )
    }

    /// Sends a request.
    ///
    /// - Throws: `TransportFailure`.
    package func send(
        _ method: HTTPMethod,
        _ path: String,
        headers: [HTTPHeader] = [],
        body: [UInt8] = []
    ) async throws -> APIReply {
        let authorization = key.map { [HTTPHeader("Authorization", "Bearer \($0)")] } ?? []
        var request = HTTPRequest(
            method,
            "http://127.0.0.1:\(port)\(path)",
            headers: authorization + headers,
            body: body
        )
        request.allowPlainHTTPToLoopback = true
        switch await transport.send(request) {
        case .reply(let reply): return APIReply(reply)
        case .failure(let failure): throw failure
        }
    }
}
