import Foundation
import Testing
import TributaryTestKit

@Suite("The page of who may do what")
struct AccessPageTests {
    /// The page, as the tree has it.
    private static func page() throws -> String {
        let tree = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: tree.appending(path: "Sources/Tributary.docc/Access.md"), encoding: .utf8)
    }

    /// The page's line about an operation.
    private static func line(about row: AccessRow) -> String {
        guard !row.isOpen else { return "| `\(row.operation)` | open |" }
        let scopes: [APIKeyKind] = [.checkout, .support, .operator, .adjuster, .admin, .publishable]
        let words = scopes.filter { row.expected($0) != .forbidden }.map(\.rawValue)
        let merchant = row.expected(.itsMerchant) == .forbidden ? [] : ["merchant"]
        return "| `\(row.operation)` | \((words + merchant).joined(separator: ", ")) |"
    }

    @Test("has a line for each operation, with the scopes that the operation asks for, and for no other")
    func lines() throws {
        let lines = try Self.page().split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(Set(lines) == Set(AccessRow.all.map(Self.line)))
        #expect(lines.count == AccessRow.all.count)
    }
}
