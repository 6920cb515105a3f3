import Foundation
import HTTPAPI
import Keyring
import Logging
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The API over TLS, asked by curl", .timeLimit(.minutes(10)))
struct HTTPVersionTests {
    /// A request, and what is answered: the same on every version.
    private struct Case {
        var method = "GET"
        var path: String
        var fields: [String] = []
        var body: String?
        var status: Int
        var says: String?
    }

    private static let curl = URL(filePath: "/usr/bin/curl")

    private static func cases(_ key: String) -> [Case] {
        let shown = ["Authorization: Bearer \(key)", "Content-Type: application/json"]
        let order = OrderBody.trip.text
        let large = "{\"reference\":\"" + String(repeating: "a", count: 300_000) + "\"}"
        func post(_ fields: [String], _ body: String, _ status: Int, _ says: String? = nil) -> Case {
            Case(method: "POST", path: "/v1/orders", fields: fields, body: body, status: status, says: says)
        }
        return [
            Case(path: "/livez", status: 200), Case(method: "HEAD", path: "/livez", status: 200),
            Case(path: "/openapi.json", status: 200, says: "\"openapi\""),
            Case(path: "/v1/orders", status: 401, says: "\"status\":401"),
            Case(path: "/v1/nothing", status: 404, says: "\"status\":404"),
            Case(method: "DELETE", path: "/v1/orders", status: 405),
            post(shown + ["Idempotency-Key: a"], order, 201, "\"decision\":\"accepted\""),
            post(shown + ["Idempotency-Key: a"], order, 201, "\"decision\":\"accepted\""),
            post(shown, order, 400), post(shown + ["Idempotency-Key: b"], large, 413),
            post(["Authorization: Bearer tk_nobody"], large, 401),
            Case(path: "/v1/orders", fields: shown, status: 200, says: "\"data\""),
        ]
    }

    @Test(
        "answers alike under HTTP/1.1 and HTTP/2",
        arguments: [("--http1.1", "1.1"), ("--http2", "2")]
    )
    func table(option: String, version: String) async throws {
        let authority = try TestAuthority()
        let files = try authority.issue(.localhost)
        func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
        let tls = try ServerTLS(certificates: bytes(files.certificate), key: bytes(files.key))
        try await APIHarness.with(.sqlite) { api in
            let server = APIServer(
                gateway: api.gateway,
                fingerprints: try Fingerprints(key: Keyring.makeKey()),
                limits: APIHarness.limits,
                tls: tls,
                logger: Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
            )
            let key = try #require(try await api.client("checkout", "operator").key)
            let result = await APIHarness.serving(server) { port in
                for row in Self.cases(key) {
                    let said = try await Self.ask(row, option, port, authority)
                    let end = "\(row.method) \(row.path): \(said.suffix(400))"
                    #expect(said.hasSuffix("\n\(version) \(row.status)"), "\(end)")
                    #expect(row.says.map { said.contains($0) } ?? true, "\(end)")
                }
            }
            try result.get()
        }
    }

    /// The body that curl hears, and behind it the version and the status.
    private static func ask(
        _ row: Case,
        _ option: String,
        _ port: Int,
        _ authority: TestAuthority
    ) async throws -> String {
        var arguments = [
            "--silent", "--show-error", option, "--cacert", authority.certificate, "--max-time", "30",
            "--write-out", "\n%{http_version} %{http_code}", "https://localhost:\(port)\(row.path)",
        ]
        arguments += row.method == "HEAD" ? ["--head"] : ["--request", row.method]
        arguments += row.fields.flatMap { ["--header", $0] }
        return try await Programs.with { programs in
            try await TemporaryFolder.with { folder in
                if let body = row.body {
                    try body.write(toFile: folder.path("body"), atomically: true, encoding: .utf8)
                    arguments += ["--data-binary", "@" + folder.path("body")]
                }
                let program = try programs.start(Self.curl, arguments)
                let ending = try await program.ended(within: .patience)
                let said = try await program.output.whole()
                let complaint = try await program.errors.whole()
                return ending == .exited(0) ? said : "\(ending) \(complaint) \(said)"
            }
        }
    }
}
