import AdapterKit
import Domain
import StripeAdapter
import Testing

@Suite("What is said of a settlement report")
struct SettlementWordsTests {
    @Test("is a sentence that names columns and places")
    func sentences() throws {
        let currency = try #require(Currency(code: "USD"))
        let problems: [any CustomStringConvertible] =
            [
                SettlementProblem.empty, SettlementProblem.malformedHeader,
                SettlementProblem.missingColumns(["gross", "net"]),
                SettlementProblem.repeatedColumn("gross"), SettlementProblem.malformedPage(3),
                SettlementProblem.errorPage(3), SettlementProblem.tooLarge(row: 3), SettlementProblem.truncated(row: 3),
                SettlementProblem.incomplete, SettlementProblem.sumOverflows(currency),
                RowProblem.fieldCount(expected: 3, found: 2), RowProblem.malformed, RowProblem.notText(column: "net"),
                RowProblem.missing(column: "net"), RowProblem.unknownCurrency(column: "net"),
                RowProblem.amount(column: "net", .tooPrecise), RowProblem.contradictory(column: "net"),
                RowProblem.unknownSign(type: "gift"),
            ]
        let sentences = problems.map(\.description)
        #expect(Set(sentences).count == sentences.count)
        for sentence in sentences { #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true) }
        #expect(sentences[2] == "The header lacks the columns gross, net.")
        #expect(sentences[15] == "The field net is no amount: too_precise.")
    }

    @Test("never repeats an amount or a reference")
    func secrecy() throws {
        let format = try SettlementFormat.of(StripeAdapter.self)
        let reading = try format.reading(replacing: "usd,100.00,", with: "usd,4711x0815,")
        #expect(!reading.unusable.isEmpty)
        for row in reading.unusable { #expect(!String(describing: row).contains("4711")) }
    }

    @Test("an adapter finds the kind of report by its beginning")
    func choice() throws {
        let head = try SettlementFormat.of(StripeAdapter.self).bytes
        let name = StripeAdapter.settlementReport(beginning: head)?.format
        #expect(name == "stripe-payout-reconciliation")
        let other = StripeAdapter.settlementReport(beginning: Array("x".utf8))?.format
        #expect(other == nil)
    }
}
