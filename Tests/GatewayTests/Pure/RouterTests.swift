import AdapterKit
import Domain
import SimulatorAdapter
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Routing")
struct RouterTests {
    private static let token = OrderDraft.Instrument(credential: .pspToken(Secret("tok_approve")))
    private static let applePay = OrderDraft.Instrument(credential: .networkToken(networkToken(.applePay)))
    private static let encrypted = OrderDraft.Instrument(
        credential: .encryptedApplePay(
            EncryptedApplePay(paymentData: Secret("{}"), displayName: nil, network: nil, transactionIdentifier: nil)
        )
    )

    private static func networkToken(_ source: NetworkToken.Source) -> NetworkToken {
        NetworkToken(
            number: Secret("4111111111111111"),
            expiryMonth: 12,
            expiryYear: 2030,
            cryptogram: Secret("AAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            eci: nil,
            source: source
        )
    }

    /// Routes a payment of a merchant with these routes.
    private static func route(
        _ routes: [Merchant.Route],
        _ instrument: OrderDraft.Instrument = token,
        currency: String = "USD",
        hasCommission: Bool = false,
        returnsUnevenly: Bool = false,
        paused: Set<String> = [],
        can: (inout Capabilities) -> Void = { _ in }
    ) throws -> RouteSnapshot {
        var capabilities = SimulatorAdapter.capabilities
        can(&capabilities)
        let accounts = TestMarketplace.travel.accounts.map { account in
            var account = account
            account.status = paused.contains(account.id) ? .paused : .active
            return account
        }
        let router = Router(
            accounts: Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0) }),
            capabilities: ["simulator": capabilities]
        )
        var merchant = try #require(TestMarketplace.travel.merchants.first)
        merchant.routes = routes
        let found = try router.routes(
            Router.Request(
                merchant: merchant,
                currency: try #require(Currency(code: currency)),
                instrument: instrument,
                hasCommission: hasCommission,
                returnsUnevenly: returnsUnevenly
            )
        )
        return try #require(found.first)
    }

    private static func route(_ account: String, _ change: (inout Merchant.Route) -> Void = { _ in }) -> Merchant.Route
    {
        var route = Merchant.Route(pspAccount: account)
        change(&route)
        return route
    }

    @Test("takes the first route that can, and freezes who settles to whom")
    func first() throws {
        let routes = [
            Self.route("sim-a"),
            Self.route("sim-b") {
                $0.settlesTo = .merchant
                $0.merchantAccount = "acct_1"
                $0.commissionBy = .invoice
            },
        ]
        #expect(try Self.route(routes) == RouteSnapshot(psp: "simulator", pspAccount: "sim-a"))
        let second = RouteSnapshot(
            psp: "simulator",
            pspAccount: "sim-b",
            merchantAccount: "acct_1",
            settlesTo: .merchant,
            commissionBy: .invoice
        )
        #expect(try Self.route(routes, paused: ["sim-a"]) == second)
    }

    @Test("follows a token to the account it belongs to")
    func named() throws {
        var instrument = Self.token
        instrument.pspAccount = "sim-b"
        #expect(try Self.route([Self.route("sim-a"), Self.route("sim-b")], instrument).pspAccount == "sim-b")
        #expect(throws: NoRoute(reasons: ["sim-a: the token belongs to sim-b"])) {
            try Self.route([Self.route("sim-a")], instrument)
        }
    }

    @Test(
        "passes over a route that does not serve the card's network, where the network is known",
        arguments: [
            (["visa"], CardNetwork.mastercard, ["sim-a: does not serve mastercard"]), (["visa"], .visa, nil),
            (["visa", "mastercard"], .mastercard, nil), ([], .mastercard, nil), (["visa"], nil, nil),
        ] as [([String], CardNetwork?, [String]?)]
    )
    func networks(served: [String], network: CardNetwork?, reasons: [String]?) throws {
        for var instrument in [Self.token, Self.applePay] {
            instrument.network = network
            let routes = [Self.route("sim-a") { $0.networks = served }]
            if let reasons {
                #expect(throws: NoRoute(reasons: reasons)) { try Self.route(routes, instrument) }
                #expect(try Self.route(routes + [Self.route("sim-b")], instrument).pspAccount == "sim-b")
            } else {
                #expect(try Self.route(routes, instrument).pspAccount == "sim-a")
            }
        }
    }

    @Test("says why a route was passed over")
    func reasons() throws {
        func reason(
            _ instrument: OrderDraft.Instrument = Self.token,
            currency: String = "USD",
            hasCommission: Bool = false,
            paused: Set<String> = [],
            can: (inout Capabilities) -> Void = { _ in },
            where change: (inout Merchant.Route) -> Void = { _ in }
        ) -> String? {
            do {
                _ = try Self.route(
                    [Self.route("sim-a", change)],
                    instrument,
                    currency: currency,
                    hasCommission: hasCommission,
                    paused: paused,
                    can: can
                )
                return nil
            } catch {
                return (error as? NoRoute)?.reasons.joined(separator: "; ")
            }
        }
        #expect(reason(where: { $0.pspAccount = "gone" }) == "gone: no such PSP account")
        #expect(reason(paused: ["sim-a"]) == "sim-a: paused")
        #expect(reason(Self.encrypted) == "sim-a: takes no encrypted_apple_pay")
        #expect(reason(currency: "JPY", where: { $0.currencies = ["USD", "EUR"] }) == "sim-a: does not serve JPY")
        #expect(reason(currency: "EUR", where: { $0.currencies = ["USD", "EUR"] }) == nil)
        #expect(reason(currency: "JPY", can: { $0.exponents = ["JPY": nil] }) == "sim-a: simulator does not take JPY")
        #expect(reason(currency: "JPY", can: { $0.exponents = ["JPY": 2] }) == nil)
        #expect(reason(Self.applePay, where: { $0.wallets = ["google_pay"] }) == "sim-a: does not serve apple_pay")
        #expect(reason(Self.applePay, where: { $0.wallets = ["apple_pay"] }) == nil)
        #expect(reason(where: { $0.wallets = ["google_pay"] }) == "sim-a: does not serve psp_token")
        #expect(reason(where: { $0.wallets = ["google_pay", "psp_token"] }) == nil)
        #expect(reason(where: { $0.settlesTo = .merchant }) == "sim-a: has no merchant_account to settle to")
        let keepsNothing: (inout Capabilities) -> Void = { $0.applicationFee = false }
        let direct: (inout Merchant.Route) -> Void = {
            $0.settlesTo = .merchant
            $0.merchantAccount = "acct_1"
        }
        #expect(
            reason(hasCommission: true, can: keepsNothing, where: direct)
                == "sim-a: simulator cannot keep the commission"
        )
        #expect(reason(hasCommission: false, can: keepsNothing, where: direct) == nil)
        let owedTwice = reason(
            can: { $0.payees = Payees(toMarketplace: .merchant, toMerchant: .merchant) },
            where: { $0.merchantAccount = "acct_1" }
        )
        #expect(owedTwice?.hasPrefix("sim-a: simulator pays the merchant_account directly") == true)
        #expect(owedTwice?.hasSuffix("set settles_to: merchant, or drop merchant_account") == true)
        #expect(throws: NoRoute(reasons: [])) { try Self.route([]) }
    }

    @Test(
        "passes over a route where a refund gives back more of what the PSP kept for the marketplace than it should",
        arguments: [
            (.merchant, .psp, true, true), (.merchant, .psp, false, false), (.merchant, .invoice, true, false),
            (.marketplace, .psp, true, false),
        ] as [(RouteSnapshot.SettlesTo, RouteSnapshot.CommissionBy, Bool, Bool)]
    )
    func uneven(
        settlesTo: RouteSnapshot.SettlesTo,
        commissionBy: RouteSnapshot.CommissionBy,
        inProportion: Bool,
        isRefused: Bool
    ) throws {
        let routes = [
            Self.route("sim-a") {
                $0.settlesTo = settlesTo
                $0.commissionBy = commissionBy
                $0.merchantAccount = settlesTo == .merchant ? "acct_1" : nil
            }
        ]
        let can: (inout Capabilities) -> Void = { $0.returnsFeeInProportion = inProportion }
        #expect(try Self.route(routes, hasCommission: true, can: can).pspAccount == "sim-a")
        let reason =
            "sim-a: simulator gives back a share of commission, tip and shipping together and cannot keep one: "
            + "have the merchant keep tip and shipping, or set the commission's returned_on_refund: pro_rata"
        guard isRefused else {
            #expect(try Self.route(routes, hasCommission: true, returnsUnevenly: true, can: can).pspAccount == "sim-a")
            return
        }
        #expect(throws: NoRoute(reasons: [reason])) {
            try Self.route(routes, hasCommission: true, returnsUnevenly: true, can: can)
        }
    }
}
