import Testing

@testable import TributaryCommand

@Suite("A table on a terminal")
struct TableLayoutTests {
    private static func cell(_ text: String) -> TableLayout.Cell {
        TableLayout.Cell(text: text, isAbsent: text == "-")
    }

    private static let orders = TableLayout(
        columns: [
            TableLayout.Column(name: "id"), TableLayout.Column(name: "psp_reference"),
            TableLayout.Column(name: "status"),
            TableLayout.Column(name: "amount", isNumeric: true), TableLayout.Column(name: "what_to_do"),
            TableLayout.Column(name: "since"),
        ],
        rows: [
            ["ord_1", "-", "paid", "5.00", "Look it up at the PSP and say what it was.", "3 min ago"].map(cell),
            ["ord_22", "-", "failed", "120.00", "-", "2 d ago"].map(cell),
        ]
    )

    @Test(
        "is fitted into its width: empty columns go, sentences are cut, columns go from the right, and rows stand below",
        arguments: [
            (
                nil as Int?,
                """
                ID      PSP REFERENCE  STATUS  AMOUNT  WHAT TO DO                                  SINCE
                ord_1   -              paid      5.00  Look it up at the PSP and say what it was.  3 min ago
                ord_22  -              failed  120.00  -                                           2 d ago
                """, [String]()
            ),
            (
                80,
                """
                ID      STATUS  AMOUNT  WHAT TO DO                                  SINCE
                ord_1   paid      5.00  Look it up at the PSP and say what it was.  3 min ago
                ord_22  failed  120.00  -                                           2 d ago
                """, []
            ),
            (
                60,
                """
                ID      STATUS  AMOUNT  WHAT TO DO                 SINCE
                ord_1   paid      5.00  Look it up at the PSP an…  3 min ago
                ord_22  failed  120.00  -                          2 d ago
                """, []
            ),
            (
                50,
                """
                ID      STATUS  AMOUNT  WHAT TO DO
                ord_1   paid      5.00  Look it up at the PSP and…
                ord_22  failed  120.00  -
                """, ["since"]
            ),
            (
                40,
                """
                id             ord_1
                status         paid
                amount         5.00
                what to do     Look it up at the PSP and
                               say what it was.
                since          3 min ago

                id             ord_22
                status         failed
                amount         120.00
                since          2 d ago
                """, []
            ),
        ]
    )
    func fits(width: Int?, text: String, hidden: [String]) {
        let page = Self.orders.page(width: width)
        #expect(page.text == text)
        #expect(page.hidden == hidden)
        if let width { #expect(page.text.split(separator: "\n").allSatisfy { $0.count <= width }) }
    }

    @Test("colours change nothing of where things stand")
    func colors() {
        var plain = TableLayout(
            columns: [TableLayout.Column(name: "status"), TableLayout.Column(name: "amount", isNumeric: true)],
            rows: [[TableLayout.Cell(text: "paid", shade: Shade.of("paid")), Self.cell("5.00")]]
        )
        let text = plain.page(width: nil).text
        plain.isColored = true
        let colored = plain.page(width: nil).text
        #expect(colored.contains("\u{1B}[32mpaid\u{1B}[0m"))
        #expect(colored.replacing(/\x{1B}\[[0-9]+m/, with: "") == text)
        #expect(Shade.of("taxi-3") == nil)
    }
}
