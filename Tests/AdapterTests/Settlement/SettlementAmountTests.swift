import AdapterKit
import Domain
import Testing

@Suite("An amount of a settlement report")
struct SettlementAmountTests {
    @Test(
        "is parsed exactly",
        arguments: [
            ("12", "USD", 1200, 2), ("12.3", "USD", 1230, 2), ("-12.34", "USD", -1234, 2), ("12.3400", "USD", 1234, 2),
            ("0", "USD", 0, 2), ("-0.00", "USD", 0, 2), ("007.5", "USD", 750, 2), ("0.0375", "GBP", 375, 4),
            ("-0.01234567", "GBP", -1_234_567, 8), ("0.000000000001", "EUR", 1, 12), ("1200", "JPY", 1200, 0),
            ("1200.00", "JPY", 1200, 0), ("1200.5", "JPY", 12_005, 1), ("12.345", "KWD", 12_345, 3),
            ("12", "KWD", 12_000, 3), ("12.3456", "KWD", 123_456, 4), ("5.00", "ISK", 5, 0),
            ("92233720368547758.07", "USD", Int64.max, 2), ("-92233720368547758.07", "USD", -Int64.max, 2),
            ("9223372036854775807", "JPY", Int64.max, 0),
        ] as [(String, String, Int64, Int)]
    )
    func parsed(text: String, code: String, units: Int64, decimals: Int) throws {
        let currency = try #require(Currency(code: code))
        let amount = try SettlementAmount(decimal: text, currency: currency)
        #expect(amount.units == units && amount.decimals == decimals)
        #expect(amount.minorUnits == (decimals == currency.exponent ? units : nil))
        #expect(try SettlementAmount(decimal: amount.decimal, currency: currency) == amount)
        #expect(amount.negated.negated == amount)
    }

    @Test(
        "is refused if it is none",
        arguments: [
            ("", AmountProblem.malformed), ("-", .malformed), (".5", .malformed), ("5.", .malformed),
            ("+5", .malformed),
            ("1,234.50", .malformed), ("1e3", .malformed), (" 5", .malformed), ("--5", .malformed),
            ("1.2.3", .malformed),
            ("-.5", .malformed), ("٣", .malformed), ("$5", .malformed), ("NaN", .malformed),
            ("0.0000000000001", .tooPrecise), ("92233720368547758.08", .overflow), ("-92233720368547758.08", .overflow),
            ("9999999999999999999999", .overflow), ("10000000.000000000001", .overflow),
        ]
    )
    func refused(text: String, problem: AmountProblem) throws {
        let currency = try #require(Currency(code: "USD"))
        #expect(throws: problem) { try SettlementAmount(decimal: text, currency: currency) }
    }

    @Test("of minor units is what it says, and may not be the one that has no opposite")
    func minorUnits() throws {
        let currency = try #require(Currency(code: "KWD"))
        #expect(try SettlementAmount(minorUnits: -12_345, currency: currency).description == "-12.345 KWD")
        #expect(try SettlementAmount(minorUnits: 5, currency: currency).decimal == "0.005")
        #expect(throws: AmountProblem.overflow) { try SettlementAmount(minorUnits: .min, currency: currency) }
    }

    @Test(
        "adds and subtracts whatever its digits",
        arguments: [
            ("1.00", "0.0375", "1.0375", "0.9625"), ("-0.995", "-0.005", "-1.00", "-0.99"),
            ("5", "-5", "0.00", "10.00"),
        ]
    )
    func arithmetic(left: String, right: String, sum: String, difference: String) throws {
        let currency = try #require(Currency(code: "EUR"))
        let left = try SettlementAmount(decimal: left, currency: currency)
        let right = try SettlementAmount(decimal: right, currency: currency)
        #expect(try left.adding(right).decimal == sum)
        #expect(try right.adding(left) == left.adding(right))
        #expect(try left.subtracting(right).decimal == difference)
    }

    @Test("does not add beyond 64 bits, nor across currencies")
    func arithmeticRefused() throws {
        let dollars = try SettlementAmount(minorUnits: .max, currency: #require(Currency(code: "USD")))
        let cent = try SettlementAmount(decimal: "0.01", currency: dollars.currency)
        #expect(throws: AmountProblem.overflow) { try dollars.adding(cent) }
        #expect(throws: AmountProblem.overflow) { try dollars.negated.subtracting(cent) }
        #expect(throws: AmountProblem.currencyMismatch) {
            try dollars.adding(.zero(#require(Currency(code: "EUR"))))
        }
    }
}
