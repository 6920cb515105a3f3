import StrictJSON
import Testing

@testable import Settings

@Suite("What a declaration over HTTP may refer to")
struct AllowedReferencesTests {
    private static func refusals(_ reference: String, below folder: String? = "/run/secrets") throws -> [String] {
        let allowed = try folder.map { try #require(AllowedReferences(below: $0)) } ?? AllowedReferences()
        let json: JSON = [
            "marketplace": ["id": "travel"],
            "psp_accounts": [["id": "a", "base_url": "https://psp.example", "api_key": .string(reference)]],
        ]
        return allowed.refusals(in: json, of: "travel")
    }

    @Test(
        "is a file in the folder of its marketplace",
        arguments: ["file:/run/secrets/travel/key", "file:/run/secrets/travel/a/b"]
    )
    func own(_ reference: String) throws {
        #expect(try Self.refusals(reference) == [])
        #expect(try Self.refusals(reference, below: nil).count == 1)
    }

    @Test(
        "is nothing else of the server's",
        arguments: [
            "env:TRIBUTARY_KEY", "env:", "file:", "file:key.pem", "file:/proc/self/environ",
            "file:/run/secrets/other/key",
            "file:/run/secrets/travel", "file:/run/secrets/travel/", "file:/run/secrets/travel/../other/key",
            "file:/run/secrets/travel/./key", "file:/run/secrets/travel//key", "file:/run/secrets/travelling/key",
        ]
    )
    func others(_ reference: String) throws {
        let refusal = try #require(try Self.refusals(reference).first)
        #expect(refusal.hasPrefix("/psp_accounts/0/api_key: over HTTP only file:/run/secrets/travel/NAME"))
        let unset = try #require(try Self.refusals(reference, below: nil).first)
        #expect(unset.contains("while apply_secrets is not set"))
    }

    @Test("stands below an absolute path", arguments: ["", "/", "secrets", "/run/", "/run/../etc", "/run//x"])
    func folders(_ folder: String) {
        #expect(AllowedReferences(below: folder) == nil)
    }
}
