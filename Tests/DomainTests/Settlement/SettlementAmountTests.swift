import Domain
import Testing

@Suite("An amount of a settlement file")
struct SettlementAmountTests {
    private static func currency(_ code: String) throws -> Currency { try #require(Currency(code: code)) }

    @Test(
        "is its text and back",
        arguments: [
            ("12.34 EUR", 1234, 2, 1234), ("-0.05 USD", -5, 2, -5), ("0.0125 EUR", 125, 4, nil),
            ("1200 JPY", 1200, 0, 1200),
            ("-1.50 USD", -150, 2, -150), ("0.00 EUR", 0, 2, 0), ("9223372036854775.807 KWD", .max, 3, .max),
        ] as [(String, Int64, Int, Int64?)]
    )
    func text(_ text: String, _ units: Int64, _ decimals: Int, _ minor: Int64?) throws {
        let amount = try #require(SettlementAmount(text: text))
        #expect(amount.units == units)
        #expect(amount.decimals == decimals)
        #expect(amount.minorUnits == minor)
        #expect(amount.description == text)
    }

    @Test(
        "is no other text",
        arguments: [
            "", "12.34", "12.34EUR", "12.3 EUR", "12 EUR", "+1.00 EUR", "01.00 EUR", "1.00 XXX", "1.00  EUR",
            "1..00 EUR",
            "1.0000000000000 EUR", "-1.500 USD", "-0.00 EUR", ".50 EUR", "1,00 EUR",
        ]
    )
    func other(_ text: String) {
        #expect(SettlementAmount(text: text) == nil)
    }

    @Test(
        "sums are rounded once, halves away from zero",
        arguments: [
            ([5], 3, 1), ([4], 3, 0), ([-5], 3, -1), ([-4], 3, 0), ([3, 3, 3], 3, 1), ([15], 3, 2), ([25], 3, 3),
            ([.max, .max, 1], 2, nil), ([.max, -1], 2, .max - 1),
        ] as [([Int64], Int, Int64?)]
    )
    func sums(_ units: [Int64], _ decimals: Int, _ minor: Int64?) throws {
        var sum = ExactSum()
        for unit in units { sum.add(unit, decimals: decimals) }
        #expect(sum.minorUnits(of: try Self.currency("EUR")) == minor)
    }
}
