import NIOCore
import NIOPosix
import StrictJSON

/// An HTTP client that keeps every byte of what comes back, so that tests can tell a reply from half of one.
struct RawClient {
    let port: Int
    var key = "key_shop"

    /// Sends a request on a connection of its own and reads until the server closes it.
    func send(
        _ method: String,
        _ path: String,
        headers: [String] = [],
        body: String = ""
    ) async throws -> RawReply {
        let head =
            ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
            + (key.isEmpty ? [] : ["Authorization: Bearer \(key)"]) + headers
            + (method == "POST" ? ["Content-Length: \(body.utf8.count)"] : [])
        let bytes = try await exchange(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return RawReply(bytes: bytes)
    }

    /// Reads with GET.
    func get(_ path: String) async throws -> RawReply { try await send("GET", path) }

    /// Posts JSON under an idempotency key.
    func post(_ path: String, key: String, _ body: JSON) async throws -> RawReply {
        try await send("POST", path, headers: ["Idempotency-Key: \(key)"], body: body.text)
    }

    /// Authorizes 1000 USD under a key named like the reference.
    func authorize(_ token: String, reference: String, amount: Int64 = 1000) async throws -> RawReply {
        try await post("/v1/authorizations", key: "key-\(reference)", Self.body(token, reference, amount: amount))
    }

    /// The body of an authorization.
    static func body(_ token: String, _ reference: String, amount: Int64 = 1000) -> JSON {
        [
            "reference": .string(reference), "amount": .integer(amount), "currency": "USD", "token": .string(token),
        ]
    }

    private func exchange(_ request: String) async throws -> [UInt8] {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var bytes: [UInt8] = []
            for try await part in inbound { bytes += Array(part.readableBytesView) }
            return bytes
        }
    }
}
