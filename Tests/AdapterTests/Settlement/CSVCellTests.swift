import AdapterKit
import Testing

@Suite("Cells of exports")
struct CSVCellTests {
    @Test(
        "text that a spreadsheet would run gets an apostrophe, and nothing steers a terminal",
        arguments: [
            ("plain", "plain"), ("", ""), ("=1+1", "'=1+1"), ("+49 30 1", "'+49 30 1"), ("-1250", "'-1250"),
            ("@SUM(A1)", "'@SUM(A1)"), ("  =1", "'  =1"), ("\u{FF1D}1", "'\u{FF1D}1"), ("a=1", "a=1"),
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
            ("\t=1", "\\u{9}=1"), ("\r=1", "\\u{d}=1"), ("a\nb", "a\\u{a}b"), ("\u{1B}[2Jx", "\\u{1b}[2Jx"),
            ("a\u{9B}b\u{7}", "a\\u{9b}b\\u{7}"), ("abc\u{202E}def", "abc\\u{202e}def"), ("a;b", "\"a;b\""),
            ("cart,1", "\"cart,1\""), ("Zürich", "Zürich"),
        ]
    )
    func text(text: String, written: String) {
        #expect(CSVCell.text(text).written == written)
    }

    @Test("numbers that we write stay numbers, below zero too")
    func numbers() {
        #expect(CSVCell.line([.number(-1250), .text("x"), .number(0)]) == "-1250,x,0")
    }
}
