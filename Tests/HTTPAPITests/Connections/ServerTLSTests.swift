import Foundation
import HTTPAPI
import HTTPTransport
import Keyring
import Logging
import Testing
import TributaryTestKit

@Suite("The API over TLS", .timeLimit(.minutes(10)))
struct ServerTLSTests {
    private static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    private static func tls(_ files: (certificate: String, key: String)) throws -> ServerTLS {
        try ServerTLS(certificates: bytes(files.certificate), key: bytes(files.key))
    }

    private static func serving(
        _ tls: ServerTLS,
        limits: APILimits = APIHarness.limits,
        _ body: @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        try await APIHarness.with(.sqlite) { api in
            let server = APIServer(
                gateway: api.gateway,
                fingerprints: try Fingerprints(key: Keyring.makeKey()),
                limits: limits,
                tls: tls,
                logger: Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
            )
            let result = await APIHarness.serving(server) { port in try await body(port) }
            try result.get()
        }
    }

    private static func get(_ port: Int, trusting authority: TestAuthority) async throws -> HTTPReply {
        let transport = HTTPTransport()
        var request = HTTPRequest(.get, "https://localhost:\(port)/livez")
        request.trustedAuthorities = .file(authority.certificate)
        let outcome = await transport.send(request)
        await transport.stop()
        switch outcome {
        case .reply(let reply): return reply
        case .failure(let failure): throw failure
        }
    }

    @Test("tells browsers to come that way for a year, and shows new connections a new certificate")
    func replaced() async throws {
        let (old, new) = (try TestAuthority(), try TestAuthority())
        let tls = try Self.tls(try old.issue(.localhost))
        let next = try new.issue(.localhost)
        try await Self.serving(tls) { port in
            let reply = try await Self.get(port, trusting: old)
            #expect(reply.status == 200)
            #expect(reply.header("Strict-Transport-Security") == "max-age=31536000")
            #expect(reply.header("X-Content-Type-Options") == "nosniff")
            try tls.replace(certificates: try Self.bytes(next.certificate), key: try Self.bytes(next.key))
            #expect(try await Self.get(port, trusting: new).status == 200)
            await #expect(throws: TransportFailure.self) { try await Self.get(port, trusting: old) }
        }
    }

    @Test("stays with its certificate where the next one has another key")
    func mismatched() async throws {
        let authority = try TestAuthority()
        let files = try authority.issue(.localhost)
        let other = try authority.issue(.elsewhere)
        let tls = try Self.tls(files)
        #expect(throws: TLSRefusal.self) {
            try tls.replace(certificates: try Self.bytes(other.certificate), key: try Self.bytes(files.key))
        }
        #expect(throws: TLSRefusal.self) { try tls.replace(certificates: [], key: []) }
        try await Self.serving(tls) { port in
            let reply = try await Self.get(port, trusting: authority)
            #expect(reply.status == 200)
        }
    }

    @Test("shakes hands under 1.2 and 1.3, and under nothing older")
    func versions() async throws {
        let authority = try TestAuthority()
        try await Self.serving(try Self.tls(try authority.issue(.localhost))) { port in
            let versions = ["-tls1_1", "-tls1_2", "-tls1_3"]
            let taken = try versions.filter { version in try TLSClient.shakesHands(port: port, version) }
            #expect(taken == ["-tls1_2", "-tls1_3"])
        }
    }

    @Test("answers no plain http, and ends the connection")
    func plain() async throws {
        let authority = try TestAuthority()
        try await Self.serving(try Self.tls(try authority.issue(.localhost))) { port in
            let reply = try await RawConnection.exchange("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
            #expect(!reply.contains("HTTP/1.1"), "\(reply)")
        }
    }

    @Test("gives a handshake the time of a head, and no more", arguments: ["", "\u{16}\u{03}\u{01}"])
    func slow(_ beginning: String) async throws {
        let authority = try TestAuthority()
        var limits = APIHarness.limits
        limits.connections = ConnectionLimits(headMilliseconds: 300, lingerMilliseconds: 200)
        try await Self.serving(try Self.tls(try authority.issue(.localhost)), limits: limits) { port in
            let begin = ContinuousClock.now
            let reply = try await RawConnection.exchange(beginning, port: port)
            #expect(!reply.contains("HTTP/1.1"), "\(reply)")
            // The connection would be silent for a minute otherwise.
            #expect(ContinuousClock.now - begin < .seconds(30))
        }
    }
}
