import OpenSSLCMS
import Testing

@testable import WalletTokens

@Suite("Apple Pay: reading BER")
struct BERCursorTests {
    /// Whether an element is refused.
    private static func isRefused(_ bytes: [UInt8]) -> Bool {
        var cursor = BERCursor(bytes)
        return (try? cursor.next()) == nil
    }

    @Test(
        "what is no element is refused",
        arguments: [
            [], [0x30], [0x30, 1], [0x30, 0x81], [0x30, 0x82, 0], [0x30, 0x84, 0, 0, 0, 0], [0x30, 0xFF],
            [0x30, 0x83, 0xFF, 0xFF, 0xFF], [0x30, 0x80], [0x30, 0x80, 0], [0x30, 0x80, 0, 1], [4, 0x80, 0, 0],
            [0, 0], [0x1F, 1, 0], [0x3F, 0x80, 0, 0], [0x30, 0x80, 4, 5, 0, 0],
        ] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) { #expect(Self.isRefused(bytes)) }

    @Test("elements of either length are read, without what follows them")
    func lengths() throws {
        for bytes: [UInt8] in [[4, 2, 7, 8], [4, 0x81, 2, 7, 8], [4, 0x83, 0, 0, 2, 7, 8]] {
            var cursor = BERCursor(bytes + [9])
            let element = try cursor.next(4)
            #expect(cursor.copy(element.content) == [7, 8])
            #expect(cursor.copy(element.whole) == bytes)
            #expect(!cursor.isAtEnd)
        }
        var outer = BERCursor([0x30, 0x80, 0x30, 0x80, 4, 1, 7, 0, 0, 5, 0, 0, 0])
        var inner = try outer.enter(0x30)
        try outer.finish()
        #expect(inner.copy(try inner.next(0x30).whole) == [0x30, 0x80, 4, 1, 7, 0, 0])
        #expect(try inner.next(5).content.isEmpty)
        try inner.finish()
    }

    @Test("indefinite lengths are nested to the limit and no deeper")
    func depth() {
        func nested(_ count: Int) -> [UInt8] {
            (0..<count).flatMap { _ in [0x30, 0x80] as [UInt8] } + [UInt8](repeating: 0, count: 2 * count)
        }
        #expect(!Self.isRefused(nested(BERCursor.depthLimit)))
        #expect(Self.isRefused(nested(BERCursor.depthLimit + 1)))
    }

    @Test("DER has one encoding for each length")
    func minimal() {
        #expect(DEREncoding.isMinimal(DER.element(0x30, DER.element(4, [UInt8](repeating: 1, count: 300)))))
        #expect(DEREncoding.isMinimal(DER.element(4, [UInt8](repeating: 1, count: 128))))
        for bytes: [UInt8] in [
            [4, 0x81, 1, 7], [4, 0x82, 0, 0x80] + [UInt8](repeating: 1, count: 128), [0x30, 0x80, 0, 0], [4, 1, 7, 0],
            [0x30, 3, 4, 0x81, 0], [4], [4, 2, 7],
        ] {
            #expect(!DEREncoding.isMinimal(bytes))
        }
    }

    @Test(
        "times are read to the second, and only as signatures have them",
        arguments: [
            (0x17, "260301120000Z", 1_772_366_400), (0x17, "491231235959Z", 2_524_607_999),
            (0x17, "500101000000Z", -631_152_000), (0x18, "20500101000000Z", 2_524_608_000),
            (0x18, "19700101000000Z", 0), (0x18, "20240229000000Z", 1_709_164_800), (0x17, "260229000000Z", nil),
            (0x17, "260301240000Z", nil), (0x17, "260301126000Z", nil), (0x17, "260301120060Z", nil),
            (0x17, "2603011200Z", nil), (0x17, "260301120000+0100", nil), (0x18, "260301120000Z", nil),
            (0x18, "20260301120000.5Z", nil), (0x17, "26O301120000Z", nil), (0x04, "260301120000Z", nil),
            (0x18, "00000101000000Z", nil),
        ] as [(UInt8, String, Int64?)]
    )
    func times(tag: UInt8, text: String, seconds: Int64?) {
        var cursor = BERCursor(DER.element(tag, Array(text.utf8)))
        #expect((try? SigningTime.seconds(&cursor)) == seconds)
    }

    @Test("object identifiers are whole numbers without leading zeros")
    func identifiers() {
        #expect(ObjectIdentifiers.isWellFormed(ObjectIdentifiers.sha256))
        for octets: [UInt8] in [[], [0x80], [0x80, 1], [0x2A, 0x80, 1], [0x2A, 0x86]] {
            #expect(!ObjectIdentifiers.isWellFormed(octets))
        }
        #expect(ObjectIdentifiers.isWellFormed([0x2A, 0x81, 0x80, 1]))
    }
}
