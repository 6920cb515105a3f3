import Domain
import Settings
import Storage
import Testing

@Suite("Declaration")
struct DeclarationTests {
    private func problems(_ yaml: String) -> [String] {
        do throws(InvalidConfiguration) {
            _ = try Declaration.parse(yaml, file: "m.yaml")
            return []
        } catch {
            return error.summary
        }
    }

    /// A declaration of one merchant, with more fields for the merchant and its route.
    private func declaration(merchant: String = "", route: String = "", extra: String = "") -> String {
        """
        marketplace: { id: travel, name: Travel }
        psp_accounts: [{ id: sim, psp: simulator, base_url: "http://127.0.0.1:1" }]
        merchants: [{ external_identifier: a, name: A, routes: [{ psp_account: sim\(route) }]\(merchant) }]
        \(extra)
        """
    }

    @Test("fills in what a merchant and a route leave out")
    func defaults() throws {
        let declaration = try Declaration.parse(declaration(), file: "m.yaml")
        let merchant = try #require(declaration.merchants.first)
        let route = try #require(merchant.routes.first)
        #expect(merchant.kind == .merchant)
        #expect(merchant.commission == CommissionRule())
        #expect(merchant.callback == nil)
        #expect(route.settlesTo == .marketplace)
        #expect(route.commissionBy == .psp)
        #expect(route.currencies.isEmpty)
        #expect(route.wallets.isEmpty)
        #expect(route.networks.isEmpty)
        #expect(declaration.applePay == nil)
        #expect(declaration.pspAccounts.first?.credentials == [:])
    }

    @Test("reads a commission whole")
    func commission() throws {
        let text = """
            , commission: { basis_points: 10000, fixed: { USD: 30 }, minimum: { USD: 5, JPY: 1 }, maximum: { USD: 5 },
              tax_basis_points: 0, psp_fees_borne_by: marketplace, returned_on_refund: none,
              applies_to: [tip, goods] }, statement_descriptor: "A*TRIPS"
            """
        let declaration = try Declaration.parse(declaration(merchant: text), file: "m.yaml")
        #expect(
            declaration.merchants.first?.commission
                == CommissionRule(
                    basisPoints: 10_000,
                    fixed: ["USD": 30],
                    minimum: ["USD": 5, "JPY": 1],
                    maximum: ["USD": 5],
                    pspFeesBorneBy: .marketplace,
                    returnedOnRefund: .none,
                    appliesTo: [.goods, .tip]
                )
        )
        #expect(declaration.merchants.first?.statementDescriptor == "A*TRIPS")
    }

    @Test("reads a route whole")
    func route() throws {
        let text = """
            , merchant_account: acct_1, settles_to: merchant, commission_by: invoice, currencies: [USD, KWD],
              wallets: [google_pay], networks: [visa]
            """
        let route = try #require(
            Declaration.parse(declaration(route: text), file: "m.yaml").merchants.first?.routes.first
        )
        #expect(route.merchantAccount == "acct_1")
        #expect(route.settlesTo == .merchant)
        #expect(route.commissionBy == .invoice)
        #expect(route.currencies == ["USD", "KWD"])
        #expect(route.wallets == ["google_pay"])
        #expect(route.networks == ["visa"])
    }

    static let wrongMerchants: [(String, String)] = [
        (", commission: { basis_points: 10001 }", "out_of_range merchants[0].commission.basis_points"),
        (", commission: { basis_points: -1 }", "out_of_range merchants[0].commission.basis_points"),
        (", commission: { tax_basis_points: 10001 }", "out_of_range merchants[0].commission.tax_basis_points"),
        (", commission: { fixed: { USX: 1 } }", "unknown_field merchants[0].commission.fixed.USX"),
        (", commission: { fixed: { USD: 0.3 } }", "not_an_integer merchants[0].commission.fixed.USD"),
        (", commission: { fixed: { USD: -3 } }", "out_of_range merchants[0].commission.fixed.USD"),
        (", commission: { fixed: 30 }", "wrong_type merchants[0].commission.fixed"),
        (
            ", commission: { minimum: { USD: 2 }, maximum: { USD: 1 } }",
            "contradiction merchants[0].commission.minimum.USD"
        ),
        (", commission: { returned_on_refund: all }", "not_allowed merchants[0].commission.returned_on_refund"),
        (", commission: { percent: 10 }", "unknown_field merchants[0].commission.percent"),
        (", domain: localhost", "not_allowed merchants[0].domain"),
        (", domain: 'a..b'", "not_allowed merchants[0].domain"),
        (", domain: Shop.example", "not_allowed merchants[0].domain"),
        (", domain: -a.example", "not_allowed merchants[0].domain"),
        (", kind: platform", "not_allowed merchants[0].kind"),
        (", dispute_liability: buyer", "not_allowed merchants[0].dispute_liability"),
        (", time_zone: ../etc/passwd", "not_allowed merchants[0].time_zone"),
        (", legal: { name: A }", "missing_field merchants[0].legal.address"),
        (", legal: { name: A, address: [B], country: de }", "not_allowed merchants[0].legal.country"),
        (", callback: { url: \"http://shop.example/\" }", "not_allowed merchants[0].callback.url"),
        (", callback: { url: \"https://u@shop.example/\" }", "not_allowed merchants[0].callback.url"),
        (", callback: { url: \"http://127.0.0.1.evil.example/\" }", "not_allowed merchants[0].callback.url"),
        (", callback: { url: \"https://:443/\" }", "not_allowed merchants[0].callback.url"),
        (", callback: { url: \"https://a:0/\" }", "not_allowed merchants[0].callback.url"),
        (
            ", callback: { url: \"https://a/\", secret: whsec_1 }",
            "literal_secret merchants[0].callback.secret"
        ),
        (", callback: {}", "missing_field merchants[0].callback.url"),
        (
            ", callback: { url: \"https://a/\", client_certificate: \"file:a.pem\" }",
            "missing_field merchants[0].callback.client_key"
        ),
        (
            ", callback: { url: \"https://a/\", client_key: \"env:KEY\" }",
            "missing_field merchants[0].callback.client_certificate"
        ),
        (
            ", callback: { url: \"https://a/\", client_certificate: \"file:a.pem\", client_key: MIGHAgEAMBMG }",
            "literal_secret merchants[0].callback.client_key"
        ),
    ]

    @Test("refuses a merchant that will not do", arguments: wrongMerchants)
    func merchants(text: String, problem: String) {
        let found = problems(declaration(merchant: text))
        #expect(found.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [problem])
    }

    @Test("reads what an endpoint is shown that asks for a client certificate, from the file's folder")
    func clientIdentity() throws {
        let callback = #", callback: { url: "https://a/", client_certificate: "file:a.pem", client_key: "env:KEY" }"#
        let declaration = try Declaration.parse(declaration(merchant: callback), file: "there/m.yaml")
        let identity = try #require(declaration.merchants.first?.callback?.clientIdentity)
        #expect(identity.certificate == .file("there/a.pem") && identity.key == .variable("KEY"))
    }

    static let wrongRoutes: [(String, String)] = [
        (", settles_to: bank", "not_allowed merchants[0].routes[0].settles_to"),
        (", commission_by: psp", "contradiction merchants[0].routes[0].commission_by"),
        (", settles_to: merchant", "missing_field merchants[0].routes[0].merchant_account"),
        (
            ", merchant_account: a, settles_to: merchant, commission_by: cash",
            "not_allowed merchants[0].routes[0].commission_by"
        ),
        (", currencies: [USD, usd]", "not_allowed merchants[0].routes[0].currencies[1]"),
        (", currencies: []", "empty merchants[0].routes[0].currencies"),
        (", wallets: []", "empty merchants[0].routes[0].wallets"),
        (", networks: []", "empty merchants[0].routes[0].networks"),
        (", currencies: USD", "wrong_type merchants[0].routes[0].currencies"),
        (", wallets: [paypal]", "not_allowed merchants[0].routes[0].wallets[0]"),
        (", networks: [visa, Visa]", "not_allowed merchants[0].routes[0].networks[1]"),
        (", merchant_account: ''", "empty merchants[0].routes[0].merchant_account"),
        (", account: x", "unknown_field merchants[0].routes[0].account"),
    ]

    @Test("refuses a route that will not do", arguments: wrongRoutes)
    func routes(text: String, problem: String) {
        let found = problems(declaration(route: text))
        #expect(found.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [problem])
    }

    @Test("refuses what does not fit together, at its place")
    func crossChecks() {
        let yaml = """
            marketplace: { id: Travel Now, name: T }
            psp_accounts:
              - { id: sim, psp: simulator, base_url: "https://a.example" }
              - { id: sim, psp: simulator, base_url: "https://a.example", credentials: { key: sk_live } }
            merchants:
              - { external_identifier: a, name: A, routes: [{ psp_account: nope }] }
              - { external_identifier: a, name: B, routes: [] }
            """
        #expect(
            problems(yaml) == [
                "m.yaml:1:20 not_allowed marketplace.id",
                "m.yaml:4:83 literal_secret psp_accounts[1].credentials.key",
                "m.yaml:7:48 empty merchants[1].routes",
            ]
        )
        let sound =
            yaml.replacing("Travel Now", with: "travel").replacing("sk_live", with: "env:KEY")
            .replacing("[]", with: "[{ psp_account: sim }]")
        #expect(
            problems(sound) == [
                "m.yaml:4:11 duplicate_id psp_accounts[1].id",
                "m.yaml:6:64 unknown_psp_account merchants[0].routes[0].psp_account",
                "m.yaml:7:28 duplicate_id merchants[1].external_identifier",
            ]
        )
    }

    @Test("keeps Apple Pay's certificates as references")
    func applePay() throws {
        let text = """
            apple_pay:
              processing_certificates:
                - { certificate: "file:p.pem", key: "file:p.key" }
              merchant_identity: { certificate: "file:/i.pem", key: "env:IDENTITY_KEY" }
            """
        let declared = try Declaration.parse(declaration(extra: text), file: "conf/m.yaml").applePay
        #expect(declared?.processingCertificates.map(\.certificate) == [.file("conf/p.pem")])
        #expect(declared?.merchantIdentity?.key == .variable("IDENTITY_KEY"))
        #expect(
            problems(declaration(extra: "apple_pay: { merchant_identity: { certificate: \"file:i\" } }")).count == 1
        )
    }

    @Test("names the sections that are missing")
    func missing() {
        #expect(
            problems("") == [
                "m.yaml:1:1 missing_field marketplace", "m.yaml:1:1 missing_field psp_accounts",
                "m.yaml:1:1 missing_field merchants",
            ]
        )
    }

    private static let walletOrders = """
        wallet_orders:
          order_type_identifier: order.com.example.travel
          certificate: "file:order.pem"
          key: "file:order.key"
          intermediates: ["file:wwdr.pem"]
          merchant_identifier: merchant.com.example.travel
          logo: "file:logo.png"
          order_management_url: "https://travel.example/orders/{reference}"
          web_service_url: "https://pay.travel.example/gateway/wallet-orders"
        """

    @Test("says how orders are followed in Wallet")
    func walletOrders() throws {
        let text = declaration(extra: Self.walletOrders)
        let declared = try #require(try Declaration.parse(text, file: "m.yaml").walletOrders)
        #expect(declared.type == "order.com.example.travel")
        #expect(declared.webServiceURL == "https://pay.travel.example/gateway/wallet-orders")
        #expect(declared.pushURL == nil)
        #expect(declared.intermediates.count == 1)
    }

    @Test(
        "refuses what no device would take",
        arguments: [
            ("order.com.example.travel", "pass.com.example.travel"), ("order.com.example.travel", "order.com..travel"),
            ("order.com.example.travel", "order.com.exa_mple.travel"), ("order.com.example.travel", "order.travel"),
            ("https://pay.travel.example/gateway/wallet-orders", "http://pay.travel.example/wallet-orders"),
            ("https://pay.travel.example/gateway/wallet-orders", "HTTPS://pay.travel.example/wallet-orders"),
            ("https://pay.travel.example/gateway/wallet-orders", "https://pay.travel.example/wallet"),
            ("https://pay.travel.example/gateway/wallet-orders", "https:///wallet-orders"),
            ("https://travel.example/orders/{reference}", "javascript:alert(1)"),
            ("file:order.key", "-----BEGIN PRIVATE KEY-----"),
        ]
    )
    func walletOrdersRefused(_ good: String, _ bad: String) {
        let text = declaration(extra: Self.walletOrders.replacing(good, with: bad))
        #expect(problems(text).count == 1, "\(bad)")
    }
}
