import Domain
import StrictJSON
import Testing
import TributaryTestKit
import WalletOrders

@Suite("Money in Wallet orders")
struct WalletOrderMoneyTests {
    private static func payment(_ payments: [Payment], countsOn: [Int]? = nil, in currency: String) throws -> JSON {
        let order = try TestOrder.order(.accepted, payments, countsOn: countsOn, currency: currency)
        let content = WalletOrderInput.Content(
            receipts: [.purchase(payments[0].id): "receipt-1.pdf"],
            paymentMethod: "Visa 1234"
        )
        let document = try WalletOrderDocument(TestOrder.input(order, content: content)).document
        return try #require(document["payment"])
    }

    private static func amounts(_ list: JSON?, _ key: String) -> [String] {
        (list?.arrayValue ?? []).compactMap { $0[key]?["amount"]?.stringValue }
    }

    /// Partial captures and refunds in currencies with no, two and three decimals.
    static let currencies: [(code: String, total: String, lines: [String], transactions: [String])] = [
        ("JPY", "17500", ["10000", "7500"], ["10000", "7500", "2500", "1"]),
        ("EUR", "175.00", ["100.00", "75.00"], ["100.00", "75.00", "25.00", "0.01"]),
        ("KWD", "17.500", ["10.000", "7.500"], ["10.000", "7.500", "2.500", "0.001"]),
    ]

    @Test("What was captured is the total once no more can be; refunds are lines of their own", arguments: currencies)
    func partialCapture(code: String, total: String, lines: [String], transactions: [String]) throws {
        let payments = [
            TestOrder.payment(0, .captured(10_000)), TestOrder.payment(1, .captured(7500), refunds: [2500, 1]),
        ]
        let payment = try Self.payment(payments, in: code)
        #expect(payment.at("total/amount")?.stringValue == total)
        #expect(Self.amounts(payment["summaryItems"], "value") == lines)
        #expect(Self.amounts(payment["transactions"], "amount") == transactions)
        let kinds = (payment["transactions"]?.arrayValue ?? []).compactMap { $0["transactionType"]?.stringValue }
        #expect(kinds == ["purchase", "purchase", "refund", "refund"])
        #expect(payment.at("transactions/0/receipt") == "receipt-1.pdf")
        #expect(payment.at("transactions/1/receipt") == nil)
    }

    @Test("Lines that do not add up to the total are left out: what may still be captured is in no line")
    func sums() throws {
        let open = try Self.payment(
            [TestOrder.payment(0, .partlyCaptured(4000)), TestOrder.payment(1, .authorized)],
            in: "EUR"
        )
        #expect(open.at("total/amount") == "200.00")
        #expect(open["summaryItems"] == nil)
        let authorized = try Self.payment(
            [TestOrder.payment(0, .authorized), TestOrder.payment(1, .authorized)],
            in: "EUR"
        )
        #expect(Self.amounts(authorized["summaryItems"], "value") == ["100.00", "100.00"])
        // One of three was declined: the buyer confirmed 300.00, and 200.00 is what the others come to.
        let declined = [
            TestOrder.payment(0, .authorized), TestOrder.payment(1, .authorized), TestOrder.payment(2, .declined),
        ]
        let part = try Self.payment(declined, countsOn: [0, 1], in: "EUR")
        #expect(part.at("total/amount") == "300.00")
        #expect(part["summaryItems"] == nil)
    }
}
