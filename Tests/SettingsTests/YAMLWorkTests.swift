import Settings
import Testing
import TributaryTestKit

/// A declaration is written by an operator, whose merchants' names and texts come from elsewhere.
@Suite("YAML of marks without end", .serialized, .timeLimit(.minutes(10)))
struct YAMLWorkTests {
    private static let bytes = 60_000

    /// Where text can stand in a declaration, a server's settings, or rules of reconciliation.
    static let places: [(name: String, yaml: @Sendable (String) -> String)] = [
        ("a key", { "\($0): 1\n\($0)1: 2" }),
        ("keys in quotes", { "{ \"\($0)\": 1, '\($0)1': 2 }" }),
        ("a value", { "host: \($0)" }),
        ("values in quotes", { "host: \"\($0)\"\nport: '\($0)'" }),
        ("a block", { "host: |\n  \($0)\n  \($0)" }),
        ("an anchor", { "host: &\($0) a\nport: *\($0)" }),
        ("a tag", { "host: !\($0) a" }),
        ("a comment", { "host: a # \($0)" }),
        ("lists", { "psp_accounts: [\($0), { id: \($0) }]" }),
        (
            "a marketplace's names",
            {
                """
                marketplace: { id: "\($0)", name: "\($0)" }
                psp_accounts: [{ id: "\($0)", psp: "\($0)", base_url: "\($0)", credentials: { "\($0)": "env:\($0)" } }]
                """
            }
        ),
        (
            "merchants' names",
            {
                """
                marketplace: { id: travel, name: Travel }
                psp_accounts: [{ id: sim, psp: simulator, base_url: "http://127.0.0.1:1" }]
                merchants:
                  - { external_identifier: "\($0)", name: "\($0)", domain: "\($0)", routes: [{ psp_account: "\($0)" }] }
                  - { external_identifier: "\($0)1", name: "\($0)", commission: { fixed: { "\($0)": 1 } }, routes: [] }
                """
            }
        ),
        ("timings", { "timings: { unknown_schedule: [\"\($0)\", \"1\($0)\"] }" }),
        ("a bank's table", { "bank_tables: [{ name: \"\($0)\", separator: \"\($0)\", columns: { \"\($0)\": 1 } }]" }),
    ]

    @Test("costs no more than as much ASCII, wherever the marks stand")
    func linear() {
        for place in Self.places {
            for hostile in HostileText.allCases {
                let bad = place.yaml(hostile.text(Self.bytes))
                let plain = place.yaml(hostile.ascii(Self.bytes))
                let ratio = ProcessorWork.ratio(of: { Self.read(bad) }, to: { Self.read(plain) }, tries: 3)
                #expect(ratio < HostileText.bound, "\(hostile) as \(place.name): \(ratio)")
            }
        }
    }

    @Test("costs no more than as much ASCII where the marks are written as escapes")
    func escapes() {
        let bad = "host: \"" + String(repeating: "\\u0301\\u0316", count: 5000) + "\""
        let plain = "host: \"" + String(repeating: "\\u0061\\u0062", count: 5000) + "\""
        let ratio = ProcessorWork.ratio(of: { Self.read(bad) }, to: { Self.read(plain) }, tries: 3)
        #expect(ratio < HostileText.bound, "\(ratio)")
    }

    /// Reads a text as each kind of file.
    private static func read(_ yaml: String) {
        let surroundings = Surroundings.literal(files: ["t.yaml": yaml])
        _ = try? Declaration.parse(yaml, file: "t.yaml")
        _ = try? ServerSettings.load(path: "t.yaml", isRequired: true, surroundings: surroundings)
        _ = try? ReconciliationSettings.load(path: "t.yaml", isRequired: true, surroundings: surroundings)
    }
}
