import StrictJSON
import Testing
import TributaryTestKit

@Suite("The audit trail on the command line", .timeLimit(.minutes(10)))
struct AuditCommandTests {
    @Test("names who typed a command, verifies, and holds an export to itself")
    func trail() async throws {
        try await Workplace.withDatabase { place in
            try place.write(MarketplaceFile().text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let key = try await place.json(
                ["keys", "create", "--scope", "checkout", "--name", "till 7", "--network", "192.0.2.7"]
            )
            #expect(key["name"] == "till 7" && key["networks"] == ["192.0.2.7/32"])
            let id = try #require(key["id"]?.stringValue)
            let taken = try await place.run("keys", "create", "--scope", "checkout", "--name", "till 7")
            #expect(taken.status == 2 && taken.err.contains(id), "\(taken.err)")
            let wide = try await place.run("keys", "create", "--scope", "checkout", "--network", "192.0.2.7/8")
            #expect(wide.status != 0 && wide.err.contains("192.0.2.0/24"), "\(wide)")
            #expect(try await place.run("keys", "revoke", id).status == 0)
            let listed = try await place.json("audit", "list")
            let entries = try #require(listed.arrayValue)
            #expect(entries.map { $0["act"] } == ["key.revoke", "key.create", "apply"])
            #expect(entries.allSatisfy { $0["actor"]?["kind"] == "shell" && $0["number"] == .null }, "\(listed)")
            #expect(entries[0]["subject"]?["id"]?.stringValue == id)
            #expect(try await place.json("audit", "list", "--act", "apply").arrayValue?.count == 1)
            let verified = try await place.json("audit", "verify")
            let head = try #require(verified[0]?["head"]?.stringValue)
            #expect(head.hasPrefix("3:") && verified[0]?["unsealed"] == 0, "\(verified)")
            let export = try await place.run("audit", "export")
            #expect(export.status == 0 && export.out.split(separator: "\n").count == 3 && export.err.contains(head))
            try place.write(export.out, to: "audit.jsonl")
            #expect(try await place.run("audit", "verify", "--from-export", "audit.jsonl", "--head", head).status == 0)
            try place.write(export.out.replacing("till 7", with: "till 8"), to: "edited.jsonl")
            #expect(try await place.run("audit", "verify", "--from-export", "edited.jsonl").status == 4)
            let other = "3:" + String(repeating: "0", count: 64)
            #expect(try await place.run("audit", "verify", "--head", other).status == 4)
        }
    }
}
