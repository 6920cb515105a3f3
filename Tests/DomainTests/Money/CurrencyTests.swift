import Domain
import Testing

@Suite("Currency")
struct CurrencyTests {
    @Test("knows every ISO 4217 code in force that has a minor unit, with its number and exponent")
    func knowsEveryCode() throws {
        let rows = try Fixture.rows("iso4217.csv").filter { $0["status"] == "current" && $0["minor_unit"] != "-" }
        #expect(rows.count > 150)
        for row in rows {
            let code = try #require(row["code"])
            let currency = try #require(Currency(code: code), "\(code) is missing")
            #expect(currency.code == code)
            #expect(String(currency.numericCode) == row["numeric"].flatMap(Int.init).map(String.init), "\(code)")
            #expect(String(currency.exponent) == row["minor_unit"], "\(code)")
        }
        #expect(Currency.all.map(\.code) == rows.compactMap { $0["code"] })
    }

    @Test("does not know metals, test codes and withdrawn codes")
    func refusesOthers() throws {
        let rows = try Fixture.rows("iso4217.csv").filter { $0["status"] != "current" || $0["minor_unit"] == "-" }
        #expect(rows.count > 50)
        for row in rows {
            let code = try #require(row["code"])
            #expect(Currency(code: code) == nil, "\(code)")
        }
    }

    @Test("parses the alphabetic code only", arguments: ["", "usd", "US", "USDX", " USD", "840", "ＵＳＤ"])
    func parsesAlphabeticCodesOnly(_ text: String) { #expect(Currency(code: text) == nil) }

    @Test("has numeric codes of one to three digits, no two the same")
    func hasDistinctNumbers() {
        #expect(Set(Currency.all.map(\.numericCode)).count == Currency.all.count)
        #expect(Currency.all.allSatisfy { (1...999).contains($0.numericCode) })
    }

    @Test("describes itself by its code") func describesItself() throws {
        #expect(try "\(#require(Currency(code: "EUR")))" == "EUR")
    }
}
