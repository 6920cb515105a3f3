import Domain
import Foundation
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("doctor and endpoints of callbacks", .timeLimit(.minutes(10)))
struct EndpointDoctorTests {
    /// A declaration with one endpoint, the agency's own.
    private static func declaration(_ url: String, more: String = "") -> String {
        """
        marketplace: { id: travel, name: T, callback: { url: "\(url)", secret: "env:HOOK_SECRET"\(more) } }
        psp_accounts: [{ id: sim, psp: simulator, base_url: "http://127.0.0.1:1", credentials: { api_key: "env:SIM_KEY" } }]
        merchants: [{ external_identifier: a, name: A, routes: [{ psp_account: sim }] }]
        """
    }

    /// Lends a place where callbacks may go to this machine, and an endpoint that takes them.
    private static func with(
        more: String = "",
        _ body: (Workplace, ScriptedServer) async throws -> Void
    ) async throws {
        try await Workplace.withDatabase { place in
            var place = place
            place.environment["TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK"] = "true"
            place.environment["HOOK_SECRET"] = Hooks.secret
            let server = try ScriptedServer(each: .readRequest, .ok)
            defer { server.stop() }
            try place.write(declaration("http://127.0.0.1:\(server.port)/", more: more), to: "travel.yaml")
            try await body(place, server)
        }
    }

    /// What doctor finds, and how it exits.
    private static func findings(_ place: Workplace) async throws -> (status: Int32, found: [String]) {
        let ending = try await place.run("doctor", "--format", "json")
        let rows = try JSON.parse(text: ending.out).arrayValue ?? []
        return (
            ending.status, rows.map { "\($0["severity"]?.stringValue ?? ""): \($0["finding"]?.stringValue ?? "")" }
        )
    }

    @Test("connects to one that works, sends it nothing, and finds nothing wrong")
    func sound() async throws {
        try await Self.with { place, server in
            _ = try await place.json("apply", "travel.yaml")
            let (status, found) = try await Self.findings(place)
            #expect(status == 0 && found == [])
            #expect(server.connections == 1 && server.requests.isEmpty)
        }
    }

    @Test("says what keeps callbacks from one")
    func obstacles() async throws {
        try await Self.with { place, server in
            var place = place
            _ = try await place.json("apply", "travel.yaml")
            let url = "http://127.0.0.1:\(server.port)/"
            server.stop()
            await server.waitUntilIdle()
            place.environment["HOOK_SECRET"] = nil
            let closed = try await Self.findings(place)
            #expect(closed.status == 1)
            #expect(
                closed.found[0]
                    == "error: callbacks of travel: the secret: The environment variable HOOK_SECRET is not set."
            )
            #expect(
                closed.found[1].hasPrefix("error: callbacks of travel: \(url) cannot be reached: couldNotConnect: ")
            )
            #expect(closed.found.count == 2)
            place.environment["TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK"] = nil
            place.environment["HOOK_SECRET"] = "whsec_c2hvcnQ="
            let inside = try await Self.findings(place)
            #expect(inside.found[0].contains("the secret will not do: it must be 24 to 64 bytes"))
            #expect(inside.found[1] == "error: callbacks of travel: \(url): only https is allowed")
        }
        try await Self.with { place, server in
            let secure = "https://localhost:\(server.port)/"
            try place.write(Self.declaration(secure), to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let (status, found) = try await Self.findings(place)
            #expect(status == 1 && found.count == 1)
            #expect(found[0].hasPrefix("error: callbacks of travel: \(secure) cannot be reached: "))
        }
    }

    @Test("says what waits, what was given up, and what is disabled")
    func backlog() async throws {
        try await Self.with { place, _ in
            _ = try await place.json("apply", "travel.yaml")
            let file = DatabaseLocation.sqlite(path: place.path("tributary.sqlite"))
            try await file.withOpen { database in
                let before = Timestamp(microseconds: try await database.now()).adding(milliseconds: -600_000)
                try await database.write { session in
                    let endpoint = try #require(try CallbackEndpointTable.all(of: "travel", in: session).first)
                    var ids = IdentifierSource()
                    let callbacks = (0..<3).map { _ in
                        KillOutbox.callback(for: endpoint, ids.make(at: before), 1, at: before, &ids)
                    }
                    try Outbox.insert(callbacks, in: session)
                    let dead = DeliveryReport(callbacks[0].id, .dead, status: 500, error: "HTTP 500")
                    try CallbackQueue.record([dead], at: before, in: session)
                }
            }
            let late = try await Self.findings(place)
            #expect(late.status == 0, "warnings alone")
            #expect(late.found.count == 2)
            #expect(late.found[0].hasPrefix("warning: callbacks of travel: 2 callbacks wait, the oldest since "))
            #expect(
                late.found[1].hasPrefix("warning: callbacks of travel: 1 dead letters; `tributary callbacks replay")
            )
            try await file.withOpen { database in
                try await database.write { session in
                    let endpoint = try #require(try CallbackEndpointTable.all(of: "travel", in: session).first)
                    _ = try CallbackEndpointTable.disable(endpoint.id, because: .gone, in: session)
                }
            }
            let gone = try await Self.findings(place)
            #expect(gone.status == 1 && gone.found.count == 2)
            #expect(gone.found[0].hasPrefix("error: callbacks of travel: disabled, since it answered 410"))
        }
    }

    /// What may be wrong with a client certificate.
    enum Certificate: String, CaseIterable, Sendable {
        case expiresSoon = "client_certificate: the certificate expires at "
        case expired = "client_certificate: the certificate expired at "
        case otherKey = "client_key: the private key is not that of the certificate"
        case encryptedKey = "client_key: the private key is encrypted"
        case notPEM = "client_certificate: what is at file:"
        case lost = "client_key: The file "

        /// Files in a place that have that fault.
        func write(to place: Workplace, by authority: TestAuthority) throws {
            let client = try authority.issue(self == .expired ? .expired : .client)
            var key = client.key
            if self == .otherKey { key = try authority.issue(.elsewhere).key }
            if self == .encryptedKey { key = try authority.encrypted(key) }
            let files = FileManager.default
            try files.copyItem(atPath: client.certificate, toPath: place.path("client.pem"))
            if self != .lost { try files.copyItem(atPath: key, toPath: place.path("client.key")) }
            if self == .notPEM { try place.write("nonsense", to: "client.pem") }
        }
    }

    @Test("loads a client certificate and its key, as check-config does", arguments: Certificate.allCases)
    func certificates(_ fault: Certificate) async throws {
        let identity = #", client_certificate: "file:client.pem", client_key: "file:client.key""#
        try await Self.with(more: identity) { place, _ in
            let authority = try TestAuthority()
            let client = try authority.issue(.client)
            try FileManager.default.copyItem(atPath: client.certificate, toPath: place.path("client.pem"))
            try FileManager.default.copyItem(atPath: client.key, toPath: place.path("client.key"))
            _ = try await place.json("apply", "travel.yaml")
            try FileManager.default.removeItem(atPath: place.path("client.pem"))
            try FileManager.default.removeItem(atPath: place.path("client.key"))
            try fault.write(to: place, by: authority)
            let (status, found) = try await Self.findings(place)
            let isError = fault != .expiresSoon
            #expect(status == (isError ? 1 : 0), "\(found)")
            // Every certificate of these tests expires soon.
            #expect(found.dropFirst().allSatisfy { $0.contains(Certificate.expiresSoon.rawValue) }, "\(found)")
            #expect(found[0].hasPrefix("\(isError ? "error" : "warning"): callbacks of travel: \(fault.rawValue)"))
            let checked = try await place.run("check-config", "travel.yaml")
            #expect(checked.status == (isError ? 1 : 0))
            let said = isError ? checked.out : checked.err
            #expect(said.contains("marketplace travel: callback.\(fault.rawValue)"), "\(said)")
        }
    }
}
