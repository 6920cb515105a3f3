import Foundation
import StrictJSON
import Testing
import TributaryTestKit

@Suite("tributary adapters", .timeLimit(.minutes(10)))
struct AdaptersTests {
    @Test("lists what the README says, word for word")
    func list() async throws {
        try await Workplace.with { place in
            let listed = try await place.run("adapters", "list", "--format", "csv")
            #expect(listed.status == 0, "\(listed.err)")
            let readme = try String(contentsOf: Self.readme, encoding: .utf8)
            for line in listed.out.split(separator: "\n").dropFirst() {
                let name = line.prefix { $0 != "," }
                let row = readme.split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") }
                let cells = try #require(row, "the README has no row of \(name)")
                    .split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                #expect(
                    cells.dropFirst().joined(separator: ",") == Self.plain(line.dropFirst(name.count + 1)),
                    "\(name)"
                )
            }
        }
    }

    @Test("shows one of them")
    func show() async throws {
        try await Workplace.with { place in
            let shown = try await place.json("adapters", "show", "adyen")
            #expect(shown["psp"] == "adyen")
            #expect(shown["inquiry"] == "none")
            #expect(shown["other_minor_units"]?.stringValue?.contains("CLP 2") == true)
        }
    }

    @Test("says which there are if it does not know one")
    func unknown() async throws {
        try await Workplace.with { place in
            let shown = try await place.run("adapters", "show", "paypal")
            #expect(shown.status == 1)
            #expect(shown.err.hasPrefix("Error: there is no adapter for paypal; this build has adyen, "))
        }
    }

    private static let readme = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../README.md").standardizedFileURL

    /// A line of comma-separated values without the quotes around fields that have commas.
    private static func plain(_ line: Substring) -> String { String(line.filter { $0 != "\"" }) }
}
