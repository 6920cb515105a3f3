import AdapterKit
import Domain

/// Chooses the PSP accounts for a payment: those of the merchant's routes that can take it, in their order.
struct Router {
    /// The marketplace's accounts by name.
    let accounts: [String: PSPAccount]
    /// What each PSP can do, by its name.
    let capabilities: [String: Capabilities]

    /// What a payment asks of a route.
    struct Request {
        let merchant: Merchant
        let currency: Currency
        /// What pays; nil if that is not known, and nothing is passed over for it.
        let instrument: OrderDraft.Instrument?
        /// Whether the marketplace keeps anything of it.
        let hasCommission: Bool
        /// Whether it keeps a tip or shipping.
        var keepsTipOrShipping = false
        /// Whether it gives back some of what it keeps when money is refunded, and keeps some.
        var returnsUnevenly = false
        /// What an agreement asks of it.
        var agreement = AgreementNeed.none
    }

    /// The routes for a payment, never none: the first is taken, the others stand by.
    ///
    /// - Throws: ``NoRoute`` with the reason why each route was passed over.
    func routes(_ request: Request) throws(NoRoute) -> [RouteSnapshot] {
        var (routes, reasons): ([RouteSnapshot], [String]) = ([], [])
        for route in request.merchant.routes {
            guard let account = accounts[route.pspAccount], let can = capabilities[account.psp] else {
                reasons.append("\(route.pspAccount): no such PSP account")
                continue
            }
            if let reason = obstacle(request, route, account, can) {
                reasons.append("\(route.pspAccount): \(reason)")
                continue
            }
            routes.append(
                RouteSnapshot(
                    psp: account.psp,
                    pspAccount: account.id,
                    merchantAccount: route.merchantAccount,
                    settlesTo: route.settlesTo,
                    commissionBy: route.commissionBy
                )
            )
        }
        guard !routes.isEmpty else { throw NoRoute(reasons: reasons) }
        return routes
    }

    private func obstacle(
        _ request: Request,
        _ route: Merchant.Route,
        _ account: PSPAccount,
        _ can: Capabilities
    ) -> String? {
        let (instrument, code) = (request.instrument, request.currency.code)
        let kind = instrument?.credential?.kind
        if instrument != nil, kind == nil { return "takes no token that is still closed" }
        if let named = instrument?.pspAccount, named != account.id { return "the token belongs to \(named)" }
        if account.status == .paused { return "paused" }
        if let objection = request.agreement.objection(to: route, can, paidWith: kind) { return objection }
        if let kind, !request.agreement.isCharge, !can.credentials.contains(kind) { return "takes no \(kind.rawValue)" }
        if kind == .encryptedApplePay, route.applePay != .passThrough { return "passes no Apple Pay token on unopened" }
        if !route.currencies.isEmpty, !route.currencies.contains(code) { return "does not serve \(code)" }
        if let exponent = can.exponents[code], exponent == nil { return "\(account.psp) does not take \(code)" }
        if request.agreement.isCharge {
            // What pays was taken by the route when the buyer first paid.
            return RouteObjection(to: route, at: account.psp, can, hasCommission: request.hasCommission)?.reason
        }
        if let wallet = instrument?.wallet, !route.wallets.isEmpty, !route.wallets.contains(wallet) {
            return "does not serve \(wallet)"
        }
        // Where nobody says the network before the PSP does, the route is taken.
        if let network = instrument?.network?.rawValue, !route.networks.isEmpty, !route.networks.contains(network) {
            return "does not serve \(network)"
        }
        // An invoice is for commission; what the buyer paid for shipping is none, and could not be asked back with it.
        if request.keepsTipOrShipping, route.settlesTo == .merchant, route.commissionBy == .invoice {
            return "pays the merchant all of it, so that the marketplace cannot keep a tip or shipping"
        }
        if let objection = RouteObjection(to: route, at: account.psp, can, hasCommission: request.hasCommission) {
            return objection.reason
        }
        let takesFee = route.settlesTo == .merchant && route.commissionBy == .psp
        if request.returnsUnevenly, takesFee, can.returnsFeeInProportion {
            return "\(account.psp) gives back a share of commission, tip and shipping together and cannot keep one: "
                + "have the merchant keep tip and shipping, or set the commission's returned_on_refund: pro_rata"
        }
        return nil
    }
}

/// What an agreement asks of a route.
enum AgreementNeed: Hashable {
    /// Nothing: the payment is under none.
    case none
    /// That what pays can be kept for later payments.
    case first
    /// That it is where the method was made, and takes payments that the merchant initiates.
    case charge(RouteSnapshot)

    /// Whether the merchant charges.
    var isCharge: Bool { if case .charge = self { true } else { false } }

    /// Why a route will not do; nil if it will.
    func objection(to route: Merchant.Route, _ can: Capabilities, paidWith kind: CredentialKind?) -> String? {
        switch self {
        case .none: return nil
        case .first:
            guard let kind, !can.agreements.keeps(kind) else { return nil }
            return "keeps no \(kind.rawValue) for later payments"
        case .charge(let made):
            guard route.pspAccount == made.pspAccount, route.merchantAccount == made.merchantAccount else {
                return "the agreement's method was made elsewhere"
            }
            guard let kind, !can.agreements.merchantInitiated.contains(kind) else { return nil }
            return "takes no \(kind.rawValue) that the merchant initiates"
        }
    }
}

extension AgreementSupport {
    /// Whether later payments can be made with what is kept of a credential: by the PSP, or of a network token by us.
    func keeps(_ kind: CredentialKind) -> Bool { storesCredentials.contains(kind) || keepsHere(kind) }

    /// Whether the PSP keeps nothing of a credential, and takes later payments with the number that we keep.
    func keepsHere(_ kind: CredentialKind) -> Bool {
        kind == .networkToken && !storesCredentials.contains(kind) && merchantInitiated.contains(.storedNetworkToken)
    }
}

/// Why none of a merchant's routes can take a payment.
struct NoRoute: Error, Hashable {
    /// A reason for each route; empty if the merchant has none.
    let reasons: [String]
}

extension OrderDraft.Instrument {
    /// The word by which routes name where the credential came from.
    var wallet: String {
        switch means {
        case .credential(.pspToken): "psp_token"
        case .credential(.encryptedApplePay): "apple_pay"
        case .credential(.networkToken(let token)):
            token.source == .network ? "network_token" : token.source.rawValue
        case .credential(.storedNetworkToken(let token)):
            token.source == .network ? "network_token" : token.source.rawValue
        case .googlePay: "google_pay"
        }
    }
}

extension Credential {
    /// When another route may be tried with it.
    ///
    /// A network token's cryptogram is used up once it may have reached an issuer. What is encrypted for a PSP that
    /// refuses the request was opened by nobody.
    var reroute: FallbackRule {
        switch self {
        case .pspToken, .storedNetworkToken: .never
        case .networkToken: .ifNotSent
        case .encryptedApplePay: .ifRefused
        }
    }
}
