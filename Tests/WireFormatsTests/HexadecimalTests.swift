import Testing
import WireFormats

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test(
        "are read in pairs, in either case",
        arguments: [
            ("00fF", [0, 255]), ("0aFf", [10, 255]), ("", []), ("0", nil), ("0aF", nil), ("0g", nil), (" 00", nil),
        ] as [(String, [UInt8]?)]
    )
    func reads(text: String, bytes: [UInt8]?) { #expect(Hexadecimal.decode(text) == bytes) }

    @Test("are written in lower case")
    func writes() {
        #expect(Hexadecimal.encode([10, 255]) == "0aff")
        var text = Array("x".utf8)
        Hexadecimal.append([0, 10, 255], to: &text)
        #expect(text == Array("x000aff".utf8))
    }
}
