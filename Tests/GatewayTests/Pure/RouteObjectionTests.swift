import AdapterKit
import Domain
import SimulatorAdapter
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("A route whose books and wire disagree")
struct RouteObjectionTests {
    /// A kind of route at a PSP that pays like this, and what there is to say against it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var payees = Payees()
        var account: String? = "acct_1"
        var settlesTo = RouteSnapshot.SettlesTo.marketplace
        var commissionBy = RouteSnapshot.CommissionBy.psp
        var keepsFees = true
        var commission = CommissionRule(basisPoints: 1000)
        let expected: RouteObjection?
    }

    private static let direct = Payees(toMarketplace: .merchant, toMerchant: .merchant)
    private static let ownerOnly = Payees(toMarketplace: .marketplace, toMerchant: .nobody)
    private static let contract = Payees(toMarketplace: .byContract, toMerchant: .byContract)

    static let rows = [
        Row(
            testDescription: "direct charge, settles to the marketplace",
            payees: direct,
            expected: .owedTwice(psp: "sim")
        ),
        Row(
            testDescription: "direct charge, settles to the merchant",
            payees: direct,
            settlesTo: .merchant,
            expected: nil
        ),
        Row(testDescription: "no merchant account", payees: direct, account: nil, expected: nil),
        Row(testDescription: "as the route says, to the marketplace", expected: nil),
        Row(testDescription: "as the route says, to the merchant", settlesTo: .merchant, expected: nil),
        Row(
            testDescription: "nowhere to settle to",
            account: nil,
            settlesTo: .merchant,
            expected: .noMerchantAccount
        ),
        Row(testDescription: "the owner only, to the marketplace", payees: ownerOnly, expected: nil),
        Row(
            testDescription: "the owner only, to the merchant",
            payees: ownerOnly,
            settlesTo: .merchant,
            commissionBy: .invoice,
            expected: .owedByNobody(psp: "sim")
        ),
        Row(testDescription: "by contract, to the marketplace", payees: contract, expected: nil),
        Row(testDescription: "by contract, to the merchant", payees: contract, settlesTo: .merchant, expected: nil),
        Row(
            testDescription: "a commission that nobody keeps",
            settlesTo: .merchant,
            keepsFees: false,
            expected: .commissionNotKept(psp: "sim")
        ),
        Row(
            testDescription: "a least commission that nobody keeps",
            settlesTo: .merchant,
            keepsFees: false,
            commission: CommissionRule(minimum: ["USD": 1]),
            expected: .commissionNotKept(psp: "sim")
        ),
        Row(
            testDescription: "a commission that is invoiced",
            settlesTo: .merchant,
            commissionBy: .invoice,
            keepsFees: false,
            expected: nil
        ),
        Row(
            testDescription: "no commission",
            settlesTo: .merchant,
            keepsFees: false,
            commission: CommissionRule(),
            expected: nil
        ),
    ]

    @Test("is found by who is paid for it on the wire", arguments: rows)
    func found(row: Row) throws {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.payees = row.payees
        capabilities.applicationFee = row.keepsFees
        var merchant = try #require(TestMarketplace.travel.merchants.first)
        merchant.commission = row.commission
        merchant.routes = [
            Merchant.Route(pspAccount: "elsewhere", merchantAccount: "acct_1"),
            Merchant.Route(
                pspAccount: "main",
                merchantAccount: row.account,
                settlesTo: row.settlesTo,
                commissionBy: row.commissionBy
            ),
        ]
        let all = RouteObjection.all(to: merchant, psps: ["main": "sim"], ["sim": capabilities])
        #expect(all.map(\.objection) == (row.expected.map { [$0] } ?? []))
        #expect(all.allSatisfy { $0.route == 1 })
        let sentences = RouteObjection.sentences(about: merchant, psps: ["main": "sim"], ["sim": capabilities])
        #expect(sentences.count == all.count)
        for sentence in sentences {
            #expect(sentence.hasPrefix("merchant \(merchant.externalIdentifier): the route to main: "))
        }
    }

    @Test("is told with the two ways out")
    func ways() {
        let twice = RouteObjection.owedTwice(psp: "stripe")
        #expect(twice.reason.hasSuffix(": set settles_to: merchant, or drop merchant_account"))
        #expect(twice.advice == twice.reason)
        #expect(
            RouteObjection.noMerchantAccount.advice
                == "has no merchant_account to settle to: set merchant_account, or drop settles_to: merchant"
        )
    }
}
