import HTTPTransport
import Testing
import TributaryTestKit

@Suite("HTTP/2", .timeLimit(.minutes(10)))
struct HTTP2Tests {
    /// What every client says first.
    private static let preface = "PRI * HTTP/2.0"
    /// Our settings, none; an acknowledgement of the client's.
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]
    /// Header fields of the first stream, which ends: the static table's eighth entry, `:status: 200`.
    private static let reply: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]
    /// The first stream is refused, error 7: it was not processed.
    private static let refusal: [UInt8] = [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 7]

    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    @Test("is spoken with a server that offers it")
    func spoken() async throws {
        let server = try server(answering: Self.settings + Self.reply)
        let result = await withTLSServer(server) { server in
            await withTransport { await $0.send(.secure(server.port, trusting: authority)) }
        }
        #expect(result.reply?.status == 200, "\(result)")
        #expect(server.transcript.contains(Self.preface))
    }

    @Test("is not spoken on a fresh connection, where a refused stream would be sent again")
    func notOnFreshConnection() async throws {
        let server = try TLSServer(authority.issue(.localhost), options: ["-alpn", "h2,http/1.1"])
        let result = await withTLSServer(server) { server in
            await withTransport {
                await $0.send(.secure(server.port, trusting: authority).with { $0.freshConnection = true })
            }
        }
        #expect(result.reply?.status == 200, "\(result)")
        #expect(server.transcript.contains("POST /pay HTTP/1.1"))
        #expect(!server.transcript.contains(Self.preface))
    }

    @Test("makes libcurl send a refused stream again by itself: the hazard")
    func refusedStream() async throws {
        let server = try server(answering: Self.settings + Self.refusal)
        let result = await withTLSServer(server) { server in
            await withTransport {
                await $0.send(.secure(server.port, trusting: authority).with { $0.totalTimeoutMilliseconds = 60_000 })
            }
        }
        #expect(result.failure?.mayHaveArrived == true)
        #expect(server.transcript.ranges(of: Self.preface).count > 1)
    }

    /// A server that knows nothing but HTTP/2 and answers each request with the same frames.
    private func server(answering frames: [UInt8]) throws -> TLSServer {
        try TLSServer(
            authority.issue(.localhost),
            options: ["-alpn", "h2"],
            responder: TLSServer.answeringEachRequest(with: [frames])
        )
    }
}
