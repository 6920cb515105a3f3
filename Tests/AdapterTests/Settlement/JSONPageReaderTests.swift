import AdapterKit
import Testing

@Suite("The reader of JSON pages")
struct JSONPageReaderTests {
    private static func pages(_ text: String, piece: Int) throws(SettlementProblem) -> [String] {
        var reader = JSONPageReader()
        var pages: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            reader.feed(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            while let page = try reader.next() { pages.append(String(decoding: page, as: UTF8.self)) }
        }
        try reader.finish()
        return pages
    }

    @Test(
        "finds the end of each object, whatever its text holds",
        arguments: [
            ["{}"], ["{}", "{\"a\":[{},[[]]]}"], [#"{"a":"}"}"#, #"{"a":"\"}"}"#, #"{"a":"\\"}"#, #"{"a":"\\\"{["}"#],
            [#"{"\u007d":"}]{"}"#, "{\"é\":\"漢}\"}"],
        ]
    )
    func ends(objects: [String]) throws {
        for separator in ["", "\n", " \r\n\t"] {
            let text = separator + objects.joined(separator: separator) + separator
            for piece in 1...8 { #expect(try Self.pages(text, piece: piece) == objects, "pieces of \(piece)") }
        }
    }

    @Test(
        "refuses what is not whole objects",
        arguments: [
            ("", SettlementProblem.empty), (" ", .empty), ("{", .truncated(row: 1)),
            ("{} {\"a\":\"}", .truncated(row: 2)),
            ("{\"a\":\"\\\"}", .truncated(row: 1)), ("1", .malformedPage(1)), ("{},{}", .malformedPage(2)),
            ("\u{FEFF}{}", .malformedPage(1)),
        ]
    )
    func refused(text: String, problem: SettlementProblem) {
        for piece in 1...8 { #expect(throws: problem) { try Self.pages(text, piece: piece) } }
    }
}
