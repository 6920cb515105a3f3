import Domain
import HTTPAPI
import Keyring
import Logging
import Testing
import TributaryTestKit

@Suite("Who reads metrics", .timeLimit(.minutes(10)))
struct MetricsAccessTests {
    private static func status(_ headers: String..., port: Int) async throws -> String {
        let lines = ["GET /metrics HTTP/1.1", "Host: a", "Connection: close"] + headers
        let reply = try await RawConnection.exchange(lines.joined(separator: "\r\n") + "\r\n\r\n", port: port)
        return reply.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }

    @Test("without a key this machine, unless a proxy speaks for somebody else")
    func thisMachine() async throws {
        try await APIHarness.with(.sqlite) { api in
            let plain = try await Self.status(port: api.port)
            #expect(plain == "200")
            for header in ["X-Forwarded-For: 10.0.0.1", "Forwarded: for=10.0.0.1", "Via: 1.1 a", "X-Real-IP: 10.0.0.1"]
            {
                let status = try await Self.status(header, port: api.port)
                #expect(status == "404", "\(header)")
            }
        }
    }

    @Test("with a key whoever shows it, through a proxy too, and nobody else")
    func key() async throws {
        try await APIHarness.with(.sqlite) { api in
            let server = APIServer(
                gateway: api.gateway,
                fingerprints: try Fingerprints(key: Keyring.makeKey()),
                limits: APIHarness.limits,
                metricsAccess: MetricsAccess(key: Secret("s3cret-of-metrics")),
                logger: Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
            )
            let operating = try await api.client("operator", "admin")
            let result = await APIHarness.serving(server) { port in
                let right = "Authorization: Bearer s3cret-of-metrics"
                let shown = try await Self.status(right, port: port)
                let forwarded = try await Self.status(right, "X-Forwarded-For: 10.0.0.1", port: port)
                #expect((shown, forwarded) == ("200", "200"))
                let key = try #require(operating.key)
                for wrong in [
                    "X: y", "Authorization: Bearer s3cret-of-metricz", "Authorization: Bearer s3cret-of-metrics2",
                    "Authorization: Bearer", "Authorization: s3cret-of-metrics", "Authorization: Bearer \(key)",
                ] {
                    let status = try await Self.status(wrong, port: port)
                    #expect(status == "401", "\(wrong)")
                }
            }
            try result.get()
        }
    }
}
