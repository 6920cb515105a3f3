import StrictJSON
import Testing

@Suite("Writing")
struct WritingTests {
    @Test(
        "escapes what JSON demands and what steers a terminal, and nothing else",
        arguments: zip(
            [
                "a/b", "\"", "\\", "\n\r\t\u{8}\u{C}", "\u{1}\u{1F}", "\u{7F}\u{9B}", "é€😀",
                "\u{2028}\u{202E}\u{2066}\u{61C}",
                "", "a\"é", "\u{A0}",
            ],
            [
                #""a/b""#, #""\"""#, #""\\""#, #""\n\r\t\b\f""#, #""\u0001\u001f""#, #""\u007f\u009b""#,
                "\"é€😀\"", #""\u2028\u202e\u2066\u061c""#, #""""#, #""a\"é""#, "\"\u{A0}\"",
            ]
        )
    )
    func escapes(text: String, written: String) {
        #expect(JSON.string(text).text == written)
    }

    @Test("writes without white space, keys in the order given and escaped")
    func compact() {
        let document: JSON = ["b": [1, .number("2.50"), .null], "a\"": ["x": true, "y": false], "c": []]
        #expect(document.text == #"{"b":[1,2.50,null],"a\"":{"x":true,"y":false},"c":[]}"#)
        #expect(document.bytes == Array(document.text.utf8))
    }

    @Test("indents for people and keeps empty containers on one line")
    func pretty() {
        let document: JSON = ["order": ["id": "ord_1", "payments": [1, [:]]], "none": [], "nothing": [:]]
        let expected = """
            {
              "order": {
                "id": "ord_1",
                "payments": [
                  1,
                  {}
                ]
              },
              "none": [],
              "nothing": {}
            }
            """
        #expect(document.prettyText == expected)
    }

    @Test("builds values from Swift's optionals")
    func optionals() {
        let absent: String? = nil
        #expect(JSON.optional(absent) == .null)
        #expect(JSON.optional("a") == "a")
        #expect(JSON.optional(Int64(3)) == 3)
        #expect(JSON.optional(true) == true)
        #expect(JSON.object(omittingAbsent: ["a": 1, "b": nil, "c": "x"]).text == #"{"a":1,"c":"x"}"#)
        #expect(JSON.strings(["a", "b"]) == ["a", "b"])
    }
}
