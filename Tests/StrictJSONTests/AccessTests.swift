import StrictJSON
import Testing

@Suite("Access")
struct AccessTests {
    let document: JSON = ["text": "a", "number": 5, "truth": false, "list": ["x"], "nothing": .null]

    @Test("answers a member by key, an element by index, nil otherwise")
    func subscripts() {
        #expect(document["text"] == "a")
        #expect(document["absent"] == nil)
        #expect(document["list"]?[0] == "x")
        #expect(document["list"]?[1] == nil)
        #expect(document["list"]?[-1] == nil)
        #expect(document["text"]?["deeper"] == nil)
        #expect(document[0] == nil)
    }

    @Test("answers a value only as the type it has")
    func types() {
        #expect(document["text"]?.stringValue == "a")
        #expect(document["text"]?.integerValue == nil)
        #expect(document["number"]?.integerValue == 5)
        #expect(document["number"]?.stringValue == nil)
        #expect(document["truth"]?.boolValue == false)
        #expect(document["number"]?.boolValue == nil)
        #expect(document["list"]?.arrayValue == ["x"])
        #expect(document["list"]?.objectValue == nil)
        #expect(document["nothing"]?.isNull == true)
        #expect(document.objectValue?.count == 5)
        #expect(JSON.number("1.0").integerValue == nil)
    }

    @Test("finds a key by its bytes, not by a look-alike")
    func lookAlikes() throws {
        let kelvin: JSON = .object([JSON.Member("\u{212A}ey", 1)])
        #expect(kelvin["Key"] == nil)
        #expect(kelvin["\u{212A}ey"] == 1)
    }

    @Test(
        "escapes tilde and slash in a pointer",
        arguments: zip(["a", "a/b", "m~n", "~1", "", "é"], ["/a", "/a~1b", "/m~0n", "/~01", "/", "/é"])
    )
    func pointers(key: String, text: String) {
        #expect(JSONPointer.root.appending(key).text == text)
        #expect(JSONPointer.root.appending(key).appending(3).text == text + "/3")
    }
}
