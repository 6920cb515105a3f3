import Domain
import SeededRandom
import Testing

@Suite("Decimal amounts")
struct DecimalAmountTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        let text: String
        let code: String
        let units: Int64
        var testDescription: String { "\(text) \(code)" }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let text: String
        let code: String
        let error: MoneyError
        var testDescription: String { "\(String(text.prefix(30)).debugDescription) \(code)" }
    }

    static let readings: [Reading] = [
        Reading(text: "0", code: "USD", units: 0), Reading(text: "0.00", code: "USD", units: 0),
        Reading(text: "0.01", code: "USD", units: 1), Reading(text: "0.1", code: "USD", units: 10),
        Reading(text: "12", code: "USD", units: 1200), Reading(text: "12.3", code: "USD", units: 1230),
        Reading(text: "12.34", code: "USD", units: 1234), Reading(text: "12.340", code: "USD", units: 1234),
        Reading(text: "0012.34", code: "USD", units: 1234), Reading(text: "19.99", code: "USD", units: 1999),
        Reading(text: "0.07", code: "EUR", units: 7), Reading(text: "1.10", code: "EUR", units: 110),
        Reading(text: "10", code: "JPY", units: 10), Reading(text: "10.00", code: "JPY", units: 10),
        Reading(text: "1.234", code: "KWD", units: 1234), Reading(text: "1.2", code: "KWD", units: 1200),
        Reading(text: "1.2340", code: "KWD", units: 1234), Reading(text: "1.2345", code: "CLF", units: 12_345),
        Reading(text: "92233720368547758.07", code: "USD", units: .max),
        Reading(text: "9223372036854775807", code: "JPY", units: .max),
        Reading(text: "9223372036854775.807", code: "KWD", units: .max),
        Reading(text: "1." + String(repeating: "0", count: 100), code: "USD", units: 100),
    ]

    static let refusals: [Refusal] =
        [
            "", " ", " 1", "1 ", ".", "1.", ".5", "+1", "1e3", "1E3", "0x10", "1,5", "1.2.3", "1..2", "-", "--1", "1-",
            "NaN", "inf", "1_000", "1'000", "١", "１", "½", "1\n", "\u{0}1", "1.2\u{301}",
        ].map { Refusal(text: $0, code: "USD", error: .malformed) } + [
            Refusal(text: "-1", code: "USD", error: .negative), Refusal(text: "-0.01", code: "USD", error: .negative),
            Refusal(text: "-0", code: "USD", error: .negative),
            Refusal(text: "1.005", code: "USD", error: .tooPrecise),
            Refusal(text: "0.001", code: "USD", error: .tooPrecise),
            Refusal(text: "10.50", code: "JPY", error: .tooPrecise),
            Refusal(text: "1.2345", code: "KWD", error: .tooPrecise),
            Refusal(text: "92233720368547758.08", code: "USD", error: .overflow),
            Refusal(text: "92233720368547759", code: "USD", error: .overflow),
            Refusal(text: "9223372036854775808", code: "JPY", error: .overflow),
            Refusal(text: String(repeating: "9", count: 1000), code: "USD", error: .overflow),
        ]

    @Test("are read exactly", arguments: readings)
    func areReadExactly(_ reading: Reading) throws {
        let currency = try #require(Currency(code: reading.code))
        #expect(try Money(decimal: reading.text, currency: currency).minorUnits == reading.units)
    }

    @Test("are refused with the reason", arguments: refusals)
    func areRefused(_ refusal: Refusal) throws {
        let currency = try #require(Currency(code: refusal.code))
        #expect(throws: refusal.error) { try Money(decimal: refusal.text, currency: currency) }
    }

    @Test("are written with exactly the currency's digits")
    func areWritten() throws {
        func decimal(_ units: Int64, _ code: String) throws -> String {
            try Money(minorUnits: units, currency: #require(Currency(code: code))).decimal
        }
        #expect(try decimal(0, "USD") == "0.00")
        #expect(try decimal(5, "USD") == "0.05")
        #expect(try decimal(1234, "USD") == "12.34")
        #expect(try decimal(1234, "JPY") == "1234")
        #expect(try decimal(1, "KWD") == "0.001")
        #expect(try decimal(12_345, "CLF") == "1.2345")
        #expect(try decimal(.max, "USD") == "92233720368547758.07")
    }

    @Test("come back the same after being written, in every currency")
    func roundTrip() throws {
        var random = SeededRandom(seed: 4217)
        for currency in Currency.all {
            let drawn = (0..<20).map { random.number(in: 0...(.max >> Int64($0 * 3))) }
            for units in [0, 1, 9, 10, 99, 100, 999, 1000, 9999, .max] + drawn {
                let money = try Money(minorUnits: units, currency: currency)
                #expect(try Money(decimal: money.decimal, currency: currency) == money)
            }
        }
    }
}
