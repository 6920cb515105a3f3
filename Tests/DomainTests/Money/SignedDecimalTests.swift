import Domain
import Testing

@Suite("Signed amounts as decimal text")
struct SignedDecimalTests {
    @Test(
        "have the digits of their currency and a sign in front",
        arguments: [
            ("USD", 0, "0.00"), ("USD", -5, "-0.05"), ("USD", 123_456, "1234.56"), ("JPY", -1200, "-1200"),
            ("KWD", 1, "0.001"), ("EUR", Int64.min, "-92233720368547758.08"),
        ]
    )
    func decimals(code: String, minorUnits: Int64, text: String) throws {
        #expect(try #require(Currency(code: code)).decimal(minorUnits) == text)
    }
}
