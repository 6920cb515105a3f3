import Domain
import Testing

@Suite("Money")
struct MoneyTests {
    private let dollars: Currency
    private let yen: Currency

    init() throws {
        dollars = try #require(Currency(code: "USD"))
        yen = try #require(Currency(code: "JPY"))
    }

    @Test("holds zero and the largest amount", arguments: [0, 1, Int64.max - 1, .max])
    func holds(_ units: Int64) throws { #expect(try Money(minorUnits: units, currency: dollars).minorUnits == units) }

    @Test("is never negative", arguments: [-1, Int64.min])
    func isNeverNegative(_ units: Int64) {
        #expect(throws: MoneyError.negative) { try Money(minorUnits: units, currency: dollars) }
    }

    @Test("adds up to the largest amount and refuses one more") func addsWithinBounds() throws {
        let most = try Money(minorUnits: .max, currency: dollars)
        let one = try Money(minorUnits: 1, currency: dollars)
        let nothing = try Money(minorUnits: 0, currency: dollars)
        #expect(try most.adding(nothing) == most)
        #expect(try Money(minorUnits: .max - 1, currency: dollars).adding(one) == most)
        #expect(throws: MoneyError.overflow) { try most.adding(one) }
        #expect(throws: MoneyError.overflow) { try most.adding(most) }
    }

    @Test("subtracts down to zero and refuses one less") func subtractsWithinBounds() throws {
        let five = try Money(minorUnits: 5, currency: dollars)
        let six = try Money(minorUnits: 6, currency: dollars)
        #expect(try five.subtracting(five).minorUnits == 0)
        #expect(try six.subtracting(five).minorUnits == 1)
        #expect(throws: MoneyError.negative) { try five.subtracting(six) }
    }

    @Test("does not mix currencies") func doesNotMixCurrencies() throws {
        let inDollars = try Money(minorUnits: 5, currency: dollars)
        let inYen = try Money(minorUnits: 5, currency: yen)
        #expect(inDollars != inYen)
        #expect(throws: MoneyError.currencyMismatch) { try inDollars.adding(inYen) }
        #expect(throws: MoneyError.currencyMismatch) { try inDollars.subtracting(inYen) }
    }
}
