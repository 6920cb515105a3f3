import HTTPTransport
import Testing
import TributaryTestKit

@Suite("Connecting alone", .timeLimit(.minutes(10)))
struct ConnectingTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    @Test("finds nothing wrong with a server that shakes hands, and sends it nothing")
    func sound() async throws {
        let server = try TLSServer(authority.issue(.localhost))
        let failure = await withTLSServer(server) { server in
            await connect(.secure(server.port, trusting: authority))
        }
        #expect(failure == nil)
        #expect(!server.transcript.contains("POST"))
        let plain = try ScriptedServer(each: .readRequest)
        #expect(await connect(.loopback(plain.port)) == nil)
        await plain.waitForConnections(1)
        await plain.waitUntilIdle()
        #expect(plain.requests.isEmpty)
        plain.stop()
    }

    @Test("says what keeps it from a server")
    func obstacles() async throws {
        let server = try TLSServer(authority.issue(.localhost))
        let stranger = await withTLSServer(server) { server in await connect(.secure(server.port, trusting: nil)) }
        #expect(stranger?.reason == .tlsFailed && stranger?.message.contains("certificate") == true)
        let gone = try ScriptedServer(each: .stall)
        gone.stop()
        #expect(await connect(.loopback(gone.port))?.reason == .couldNotConnect)
        var guarded = HTTPRequest(.post, "https://localhost:\(gone.port)/")
        guarded.destination = .vetted(AddressPolicy())
        #expect(await connect(guarded)?.reason == .refusedURL)
    }

    @Test("shows the client certificate, which a server may insist on up to TLS 1.2")
    func clientCertificate() async throws {
        let client = try authority.issue(.client)
        let identity = ClientIdentity(certificate: .file(client.certificate), key: .file(client.key))
        let options = ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate, "-tls1_2"]
        for (shown, reason): (ClientIdentity?, TransportFailure.Reason?) in [(identity, nil), (nil, .tlsFailed)] {
            let server = try TLSServer(authority.issue(.localhost), options: options)
            let failure = await withTLSServer(server) { server in
                await connect(.secure(server.port, trusting: authority).with { $0.clientIdentity = shown })
            }
            #expect(failure?.reason == reason)
        }
    }

    @Test("fails for a key under a passphrase instead of asking for it")
    func encryptedKey() async throws {
        let client = try authority.issue(.client)
        let key = try authority.encrypted(client.key)
        let server = try TLSServer(authority.issue(.localhost))
        let failure = await withTLSServer(server) { server in
            await connect(
                .secure(server.port, trusting: authority).with {
                    $0.clientIdentity = ClientIdentity(certificate: .file(client.certificate), key: .file(key))
                }
            )
        }
        #expect(failure?.reason == .tlsFailed)
    }

    private func connect(_ request: HTTPRequest) async -> TransportFailure? {
        await withTransport { transport in await transport.connect(request) }
    }
}
