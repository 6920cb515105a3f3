import NIOCore
import NIOFileSystem
import PSPSimulator
import Testing

@Suite("README.md of the simulator's adapter")
struct DocumentationTests {
    @Test(
        "shows the tables that the code works by",
        arguments: [("triggers", TriggerTable.markdown), ("amounts", AmountTable.markdown)]
    )
    func tables(name: String, table: String) async throws {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let path = root.appending("Adapters/Simulator/README.md")
        let page = String(buffer: try await ByteBuffer(contentsOf: path, maximumSizeAllowed: .mebibytes(1)))
        let start = try #require(page.firstRange(of: "<!-- \(name) -->\n"))
        let end = try #require(page.firstRange(of: "\n<!-- /\(name) -->"))
        #expect(String(page[start.upperBound..<end.lowerBound]) == table)
    }
}
