import Foundation
import HTTPTransport
import Testing
import TributaryTestKit

@Suite("Over TLS", .timeLimit(.minutes(10)))
struct TLSTests {
    private static let neverSent = Verdict(.tlsFailed, mayHaveArrived: false)

    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    @Test("a server whose authority is trusted is answered, whether the authority is a file or bytes")
    func trusted() async throws {
        let authorityBytes = try [UInt8](Data(contentsOf: URL(filePath: authority.certificate)))
        for authorities in [PEM.file(authority.certificate), .bytes(authorityBytes)] {
            let server = try TLSServer(authority.issue(.localhost))
            let result = await withTLSServer(server) { server in
                await send(.secure(server.port, trusting: nil).with { $0.trustedAuthorities = authorities })
            }
            #expect(result.reply?.status == 200, "\(result)")
            #expect(result.reply?.body == Array("paid".utf8))
            #expect(server.transcript.contains("POST /pay HTTP/1.1"))
        }
    }

    @Test("a server of an unknown authority gets nothing")
    func unknownAuthority() async throws {
        let server = try TLSServer(authority.issue(.localhost))
        let result = await withTLSServer(server) { server in await send(.secure(server.port, trusting: nil)) }
        #expect(result.verdict == Self.neverSent)
        #expect(result.failure?.message.contains("certificate") == true)
        #expect(!server.transcript.contains("POST"))
    }

    @Test("a server of another authority gets nothing")
    func otherAuthority() async throws {
        let other = try TestAuthority()
        let server = try TLSServer(authority.issue(.localhost))
        let result = await withTLSServer(server) { server in await send(.secure(server.port, trusting: other)) }
        #expect(result.verdict == Self.neverSent)
        #expect(!server.transcript.contains("POST"))
    }

    @Test(
        "a server whose certificate is another host's, or has expired, gets nothing",
        arguments: [
            TestAuthority.Subject.elsewhere, .expired,
        ]
    )
    func wrongCertificate(_ subject: TestAuthority.Subject) async throws {
        let server = try TLSServer(authority.issue(subject))
        let result = await withTLSServer(server) { server in await send(.secure(server.port, trusting: authority)) }
        #expect(result.verdict == Self.neverSent)
        #expect(!server.transcript.contains("POST"))
    }

    @Test("a certificate of the host's name does not do for its address")
    func addressNotNamed() async throws {
        let server = try TLSServer(authority.issue(.localhost))
        let result = await withTLSServer(server) { server in
            await send(.secure(server.port, trusting: authority, host: "127.0.0.1"))
        }
        #expect(result.verdict == Self.neverSent)
    }

    @Test("a server that asks for a client certificate gets it, from files or bytes")
    func clientCertificate() async throws {
        let client = try authority.issue(.client)
        let fromFiles = ClientIdentity(certificate: .file(client.certificate), key: .file(client.key))
        let fromBytes = try ClientIdentity(
            certificate: .bytes([UInt8](Data(contentsOf: URL(filePath: client.certificate)))),
            key: .bytes([UInt8](Data(contentsOf: URL(filePath: client.key))))
        )
        for identity in [fromFiles, fromBytes] {
            let server = try TLSServer(authority.issue(.localhost), options: verifyingClients)
            let result = await withTLSServer(server) { server in
                await send(.secure(server.port, trusting: authority).with { $0.clientIdentity = identity })
            }
            #expect(result.reply?.status == 200, "\(result)")
        }
    }

    @Test("a server that wants a client certificate and gets none refuses before the request, up to TLS 1.2")
    func noClientCertificate() async throws {
        let server = try TLSServer(authority.issue(.localhost), options: verifyingClients + ["-tls1_2"])
        let result = await withTLSServer(server) { server in await send(.secure(server.port, trusting: authority)) }
        #expect(result.verdict == Self.neverSent, "\(result)")
        #expect(!server.transcript.contains("POST"))
    }

    @Test("the same refusal in TLS 1.3 comes after the request was sent, and leaves doubt")
    func noClientCertificateLate() async throws {
        let server = try TLSServer(authority.issue(.localhost), options: verifyingClients + ["-tls1_3"])
        let result = await withTLSServer(server) { server in await send(.secure(server.port, trusting: authority)) }
        #expect(result.verdict == Verdict(.connectionClosed, mayHaveArrived: true), "\(result)")
        #expect(result.failure?.message.contains("certificate required") == true, "\(result)")
    }

    @Test("a client certificate that cannot be read, or has another's key, is never shown", arguments: [true, false])
    func unusableClientCertificate(isMissing: Bool) async throws {
        let client = try authority.issue(.client)
        let other = try authority.issue(.expired)
        let key = isMissing ? other.key + ".missing" : other.key
        let server = try TLSServer(authority.issue(.localhost))
        let result = await withTLSServer(server) { server in
            await send(
                .secure(server.port, trusting: authority).with {
                    $0.clientIdentity = ClientIdentity(certificate: .file(client.certificate), key: .file(key))
                }
            )
        }
        #expect(result.verdict == Self.neverSent, "\(result)")
        #expect(!server.transcript.contains("POST"))
    }

    @Test(
        "a reply cut off by a closed connection is not taken for a whole one",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf", "HTTP/1.1 200 OK\r\n",
        ]
    )
    func cutOff(_ start: String) async throws {
        let server = try TLSServer(
            authority.issue(.localhost),
            responder: TLSServer.answeringEachRequest(with: [Array(start.utf8), Array("Q".utf8)])
        )
        let result = await withTLSServer(server) { server in await send(.secure(server.port, trusting: authority)) }
        #expect(result.verdict == Verdict(.connectionClosed, mayHaveArrived: true), "\(result)")
    }

    private var verifyingClients: [String] {
        ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate]
    }

    private func send(_ request: HTTPRequest) async -> HTTPResult {
        await withTransport { transport in await transport.send(request) }
    }
}
