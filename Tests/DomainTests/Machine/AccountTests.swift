import Domain
import SeededRandom
import Testing

@Suite("Accounts")
struct AccountTests {
    private static let accounts: [Account] = {
        var ids = IdentifierSource(random: SeededRandom(seed: 6))
        let merchant: MerchantID = ids.make(at: Checkout.placedAt)
        return [
            .held(pspAccount: "a"), .held(pspAccount: "b"), .held(pspAccount: "a/held"), .heldFor(merchant: merchant),
            .clearing(pspAccount: "a"), .clearing(pspAccount: "a/clearing"), .direct(pspAccount: "a"),
            .directTo(merchant: merchant), .bank, .payable(merchant: merchant), .receivable(merchant: merchant),
            .refundsBorne, .disputesBorne, .commission, .commissionTax, .tax(party: "fr"), .tax(party: "fr/75"),
            .reserve(pspAccount: "a"), .pspFees(pspAccount: "a/b"), .suspense(pspAccount: "a"),
            .conversion(pspAccount: "a"), .differences, .tips, .shipping,
        ]
    }()

    @Test("have paths that differ where they do") func paths() {
        #expect(Set(Self.accounts.map(\.path)).count == Self.accounts.count)
        #expect(Account.clearing(pspAccount: "stripe-main").path == "psp/stripe-main/clearing")
    }

    @Test("are found by their paths", arguments: accounts) func found(_ account: Account) {
        #expect(Account(path: account.path) == account)
    }

    @Test(
        "are not found by other paths",
        arguments: [
            "", "memo", "memo/psp//held", "psp//clearing", "psp/clearing", "direct/psp/", "merchant/airline/payable",
            "merchant/mer_1/receivable", "direct/merchant/x", "marketplace/cash", "tax/", "Marketplace/bank",
        ]
    )
    func unknown(_ path: String) {
        #expect(Account(path: path) == nil)
    }
}
