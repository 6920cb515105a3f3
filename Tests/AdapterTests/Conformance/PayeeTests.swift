import AdapterKit
import Domain
import Testing

@Suite("Who is paid at every adapter")
struct PayeeTests {
    /// A merchant's account in each PSP's form, and who is paid if it settles to the marketplace, and to the merchant.
    static let rows: [(psp: String, account: String, toMarketplace: Payees.Payee, toMerchant: Payees.Payee)] = [
        ("adyen", "BA32272223222B5CTDQPM6W2H", .marketplace, .merchant),
        ("authorize-net", "shop", .marketplace, .nobody), ("braintree", "sub_7", .merchant, .merchant),
        ("checkout", "ent_w4jelhppmfiufdnatam37wrfc4", .marketplace, .merchant),
        ("simulator", "acct_1", .byContract, .byContract), ("square", "L2", .byContract, .byContract),
        ("stripe", "acct_1", .merchant, .merchant), ("worldpay", "shop", .byContract, .byContract),
    ]

    @Test("is declared for every kind of route", arguments: rows)
    func declared(row: (psp: String, account: String, toMarketplace: Payees.Payee, toMerchant: Payees.Payee)) throws {
        let payees = try AdapterUnderTest.named(row.psp).adapter.capabilities.payees
        #expect(payees.withoutMerchantAccount == .marketplace)
        #expect(payees.toMarketplace == row.toMarketplace && payees.toMerchant == row.toMerchant)
        #expect(try AdapterUnderTest.all.map(\.name).sorted() == Self.rows.map(\.psp).sorted())
    }

    @Test("is told apart on the wire where the declaration tells it apart, and only there", arguments: rows)
    func wire(row: (psp: String, account: String, toMarketplace: Payees.Payee, toMerchant: Payees.Payee)) throws {
        let subject = try AdapterUnderTest.named(row.psp)
        func step(settlesToMerchant: Bool) throws -> Step {
            var call = try subject.shortCall(.authorize)
            call.merchantAccount = row.account
            call.settlesToMerchant = settlesToMerchant
            return subject.adapter.next(for: call, after: [])
        }
        let (toMarketplace, toMerchant) = (try step(settlesToMerchant: false), try step(settlesToMerchant: true))
        guard case .send = toMarketplace else {
            Issue.record("\(toMarketplace)")
            return
        }
        switch row.toMerchant {
        case .nobody:
            guard case .outcome(.rejected(let rejection)) = toMerchant else {
                Issue.record("\(toMerchant)")
                return
            }
            #expect(rejection.reason == .unsupported && rejection.code == "merchant_account")
        case let payee: #expect((toMarketplace == toMerchant) == (payee == row.toMarketplace))
        }
    }
}
