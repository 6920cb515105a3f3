import Domain
import Testing

@Suite("A card network")
struct CardNetworkTests {
    @Test(
        "is known by the names that wallets and callers give it",
        arguments: [
            ("Visa", .visa), ("VISA", .visa), ("MasterCard", .mastercard), ("masterCard", .mastercard),
            ("MASTERCARD", .mastercard), ("AmEx", .amex), ("AMEX", .amex), ("American Express", .amex),
            ("Discover", .discover), ("JCB", .jcb), ("ChinaUnionPay", .unionpay), ("chinaUnionPay", .unionpay),
            ("CartesBancaires", .cartesBancaires), ("cartes_bancaires", .cartesBancaires),
            ("PrivateLabel", .privateLabel), ("VPay", .vPay), ("v_pay", .vPay), ("girocard", .girocard),
            ("INTERAC", .interac), ("Suica", nil), ("", nil), ("visa mastercard", nil),
        ] as [(String, CardNetwork?)]
    )
    func named(text: String, network: CardNetwork?) {
        #expect(CardNetwork(named: text) == network)
    }

    @Test("is found again by the name that routes have of it", arguments: CardNetwork.allCases)
    func canonical(network: CardNetwork) {
        #expect(CardNetwork(named: network.rawValue) == network)
    }
}
