import Domain
import StrictJSON

/// Reading a route as an operator declares it.
extension Merchant.Route {
    private static let wallets = ["apple_pay", "google_pay", "network_token", "psp_token"]

    init?(reading body: ObjectReader) {
        let account = body.string("psp_account", length: 1...64, by: TextRule.slug.accept)
        let merchantAccount = body.string("merchant_account", .optional, length: 1...128, by: TextRule.reference.accept)
        let settlesTo = body.parsed("settles_to", .optional, expecting: "marketplace or merchant") {
            RouteSnapshot.SettlesTo(rawValue: $0)
        }
        let commissionBy = body.parsed("commission_by", .optional, expecting: "psp or invoice") {
            RouteSnapshot.CommissionBy(rawValue: $0)
        }
        if commissionBy == .invoice, settlesTo != .merchant {
            body.refuse("commission_by", "contradiction", "invoice has a meaning only with settles_to merchant.")
        }
        if settlesTo == .merchant, !body.contains("merchant_account") {
            body.refuse("merchant_account", "missing_field", "settles_to merchant needs the account to settle to.")
        }
        let currencies = body.strings("currencies", .optional, count: 0...200, expecting: "an ISO 4217 code") {
            Currency(code: $0)?.code
        }
        let wallets = Self.words(body, "wallets", Self.wallets)
        let networks = Self.words(body, "networks", CardNetwork.names)
        let applePay = body.choice("apple_pay", .optional, of: TokenHandling.self)
        guard let account else { return nil }
        self.init(
            pspAccount: account,
            merchantAccount: merchantAccount,
            settlesTo: settlesTo ?? .marketplace,
            commissionBy: commissionBy ?? .psp,
            currencies: currencies ?? [],
            wallets: wallets ?? [],
            networks: networks ?? [],
            applePay: applePay ?? .open
        )
    }

    private static func words(_ body: ObjectReader, _ key: String, _ known: [String]) -> [String]? {
        body.strings(key, .optional, count: 0...known.count, expecting: "one of \(known.joined(separator: ", "))") {
            known.contains($0) ? $0 : nil
        }
    }
}
