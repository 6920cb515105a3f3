import Foundation
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The keyring on the command line", .timeLimit(.minutes(10)))
struct KeyringCommandTests {
    private static let declaration = """
        marketplace: { id: travel, name: Travel, callback: { url: "https://127.0.0.1:1/" } }
        psp_accounts: [{ id: sim, psp: simulator, base_url: "http://127.0.0.1:1", credentials: { api_key: "env:SIM_KEY" } }]
        merchants: [{ external_identifier: hotel-7, name: Grand Hotel, routes: [{ psp_account: sim }] }]
        """

    /// A row of `keyring status`.
    private static func row(_ key: String, _ state: String, secrets: Int64, hashing: Int64) -> JSON {
        .object([
            .init("key", .string(key)), .init("state", .string(state)), .init("credential_keys", .integer(0)),
            .init("credentials", .integer(0)), .init("endpoint_secrets", .integer(secrets)),
            .init("hashing_key", .integer(hashing)), .init("wallet_details", .integer(0)),
            .init("fulfillments", .integer(0)), .init("agreement_methods", .integer(0)),
        ])
    }

    @Test(
        "is rotated, the old key taken away, and API keys go on; a wrong key serves nobody",
        arguments: DatabaseEngine.allCases
    )
    func rotation(_ engine: DatabaseEngine) async throws {
        try await Workplace.withDatabase(engine) { place in
            var place = place
            place.environment["NEW_KEY"] = String(repeating: "6b", count: 32)
            // Nobody listens at the endpoint.
            place.environment["TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK"] = "true"
            try place.write(Self.declaration, to: "travel.yaml")
            try place.write(
                #"keyring: { current: k2, keys: { k1: "env:TRIBUTARY_KEY", k2: "env:NEW_KEY" } }"#,
                to: "both.yaml"
            )
            try place.write(#"keyring: { current: k2, keys: { k2: "env:NEW_KEY" } }"#, to: "new.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let key = try #require(try await place.json("keys", "create", "--scope", "operator")["key"]?.stringValue)

            let before = try await place.run("keyring", "status", "--config", "both.yaml", "--format", "json")
            #expect(before.status == 1)
            let needed = [
                Self.row("k2", "current", secrets: 0, hashing: 0), Self.row("k1", "needed", secrets: 1, hashing: 1),
            ]
            #expect(try JSON.parse(text: before.out) == .array(needed))
            let early = try await place.run("serve", "--port", "0", "--config", "new.yaml")
            #expect(early.status == 2)
            #expect(
                early.err.contains(
                    "Error: this database was used with k1, of which the keyring has none (it has k2); put that key back "
                        + "beside the others"
                ),
                "\(early.err)"
            )

            let rotated = try await place.run("keyring", "rotate", "--config", "both.yaml", "--format", "json")
            #expect(rotated.status == 0, "\(rotated.err)")
            let done = [
                Self.row("k2", "current", secrets: 1, hashing: 1), Self.row("k1", "removable", secrets: 0, hashing: 0),
            ]
            #expect(try JSON.parse(text: rotated.out) == .array(done))
            #expect(rotated.err.contains("k1 can be taken out of the keyring: nothing needs it"))
            #expect(try await place.run("keyring", "status", "--config", "both.yaml").status == 0)
            // Again there is nothing to put under it, and nothing to write down.
            #expect(try await place.run("keyring", "rotate", "--config", "both.yaml").status == 0)
            let acts = try await place.json("audit", "list", "--act", "keyring.rotate").arrayValue ?? []
            #expect(acts.map { $0["details"] } == [["key": "k2"]], "\(acts)")

            try await place.whileServing(["serve", "--stop-when-stdin-closes", "--config", "new.yaml"]) { url in
                let reply = try await HTTPCall(.get, url + "/v1/orders", key: key).reply()
                #expect(reply.status == 200)
            }
            place.environment["NEW_KEY"] = String(repeating: "7c", count: 32)
            let wrong = try await place.run("serve", "--port", "0", "--config", "new.yaml")
            #expect(wrong.status == 2)
            #expect(
                wrong.err.contains("Error: the key k2 of the keyring is not the one that this database was used with")
            )
            let doctor = try await place.run("doctor", "--config", "new.yaml")
            #expect(doctor.status == 1 && doctor.out.contains("the key k2 of the keyring is not the one"))
        }
    }

    @Test("PostgreSQL: prints what a role needs to serve, and doctor warns of one that may do more")
    func grants() async throws {
        try await Workplace.withDatabase(.postgres) { place in
            let printed = try await place.run("migrate", "--print-grants", "--role", "gate")
            #expect(printed.status == 0, "\(printed.err)")
            let lines = printed.out.split(separator: "\n").map(String.init)
            #expect(lines.contains("GRANT SELECT, INSERT ON \"public\".\"journal_entry\" TO \"gate\";"))
            #expect(lines.allSatisfy { $0.hasPrefix("--") || $0.hasSuffix(";") })
            let doctor = try await place.run("doctor")
            #expect(doctor.status == 0 && doctor.out.contains("is a superuser"), "\(doctor.out) \(doctor.err)")
        }
    }

    @Test("SQLite: doctor warns of a file that others may read, which no command makes so")
    func mode() async throws {
        try await Workplace.withDatabase { place in
            #expect(try await place.run("doctor").out.isEmpty)
            let file = try #require(try place.files().first { $0.hasSuffix(".sqlite") })
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.path(file))
            let doctor = try await place.run("doctor")
            #expect(doctor.status == 0)
            #expect(doctor.out.contains("others than its owner may read or write"), "\(doctor.out)")
        }
    }
}
