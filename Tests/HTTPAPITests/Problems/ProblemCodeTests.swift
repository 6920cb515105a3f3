import AdapterKit
import Domain
import Foundation
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("The codes of problems", .timeLimit(.minutes(10)))
struct ProblemCodeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The text of every source file below a folder, without comments.
    private static func sources(_ folder: String, besides left: String? = nil) throws -> [String] {
        let place = root.appending(path: "Sources/\(folder)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: place.path()).filter { name in
            name.hasSuffix(".swift") && !(left.map(name.hasPrefix) ?? false)
        }
        return try names.map { name in
            try String(contentsOf: place.appending(path: name), encoding: .utf8)
                .replacing(#/\/\/[^\n]*/#, with: "")
        }
    }

    /// The codes that the sources write: of problems, of violations, of refused tokens.
    private static func written() throws -> Set<String> {
        var codes: Set<String> = []
        for folder in ["HTTPAPI/HTTP", "HTTPAPI", "Gateway", "StrictJSON", "Storage/Directory"] {
            for text in try sources(folder) {
                codes.formUnion(text.matches(of: #/code: "([a-z][a-z0-9_]*)"/#).map { String($0.1) })
                let refusals = #/\brefuse\(\s*(?:"[^"]*"|[\w.]+(?:\([^()]*\))?)\s*,\s*"([a-z][a-z0-9_]*)"/#
                codes.formUnion(text.matches(of: refusals).map { String($0.1) })
                let additions = #/\.add\(\s*at: (?:[^,"]|"[^"]*")*?,\s*"([a-z][a-z0-9_]*)"/#
                codes.formUnion(text.matches(of: additions).map { String($0.1) })
                codes.formUnion(text.matches(of: #/violation\([^"\n]*?,\s*"([a-z][a-z0-9_]*)"/#).map { String($0.1) })
            }
        }
        for folder in ["WalletTokens", "Gateway/Wallets"] {
            for text in try sources(folder) {
                let refusals = #/(?:TokenRefusal|refusal|refuse)\(\s*(?:\.\w+,\s*)?"([a-z][a-z0-9_]*)"/#
                codes.formUnion(text.matches(of: refusals).map { String($0.1) })
            }
        }
        return codes
    }

    @Test("that the sources write are all explained")
    func explained() throws {
        let written = try Self.written()
        #expect(written.count > 100)
        #expect(written.filter { ProblemCode.byCode[$0] == nil }.sorted() == [])
        let requests = RequestRefusal.Code.allCases.map(\.rawValue)
        let documents = JSONRefusal.Reason.allCases.map(\.rawValue)
        let webhooks = WebhookRefusal.allCases.map { "webhook_\($0.rawValue)" }
        for code in requests + documents + webhooks { #expect(ProblemCode.byCode[code] != nil, "\(code)") }
    }

    @Test("that are explained are all written somewhere, each once, with a status and two sentences")
    func written() throws {
        let texts = try Self.sources("HTTPAPI", besides: "Problems/")
        let others = try ["Gateway", "StrictJSON", "Storage/Directory", "WalletTokens", "Domain"]
            .flatMap { try Self.sources($0) }
        let words = Set((texts + others).flatMap { $0.matches(of: #/"([a-z][a-z0-9_]*)"/#).map { String($0.1) } })
        let cases =
            RequestRefusal.Code.allCases.map(\.rawValue) + JSONRefusal.Reason.allCases.map(\.rawValue)
            + WebhookRefusal.allCases.map { "webhook_\($0.rawValue)" }
        #expect(ProblemCode.all.filter { !words.contains($0.code) && !cases.contains($0.code) }.map(\.code) == [])
        #expect(ProblemCode.byCode.count == ProblemCode.all.count)
        for entry in ProblemCode.all {
            #expect(!entry.statuses.isEmpty && entry.statuses.allSatisfy { (200..<600).contains($0) }, "\(entry.code)")
            #expect(entry.meaning.last == "." || entry.meaning.last == ")", "\(entry.code)")
            #expect(entry.remedy.last == ".", "\(entry.code)")
        }
    }

    @Test("are in the page on errors as they are served, in the same order")
    func page() throws {
        let path = Self.root.appending(path: "Sources/Tributary.docc/Errors.md")
        let rows = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.map(String.init) == ProblemCode.all.map(\.row))
    }

    @Test("are served where the type of a problem leads, without a key")
    func served() async throws {
        let contract = try Contract()
        try await APIHarness.with(.sqlite) { api in
            let refused = try await api.anonymous.get("/v1/orders")
            let type = try #require(refused.json["type"]?.stringValue)
            #expect(type == "/problems/missing_api_key")
            let entry = try await api.anonymous.get(type)
            #expect(contract.complaints(about: entry, to: "GET /problems/{code}") == [])
            #expect((entry.json["code"], entry.json["statuses"]) == ("missing_api_key", [401]))
            let list = try await api.anonymous.get("/problems")
            #expect(contract.complaints(about: list, to: "GET /problems") == [])
            #expect(list.json["data"]?.arrayValue?.count == ProblemCode.all.count)
            #expect(list.json["data"]?.arrayValue?.contains(entry.json) == true)
            let unknown = try await api.anonymous.get("/problems/never_heard")
            #expect((unknown.status, unknown.code) == (404, "not_found"))
        }
    }
}
