package import AdapterKit
package import Domain

/// Why a merchant's route must not be taken: its books and the wire disagree about who gets the money.
///
/// The one rule for every entrance: declarations, the API, what is stored, and placing.
package enum RouteObjection: Hashable, Sendable {
    /// The PSP pays the merchant, and our books owe the merchant the same money again.
    case owedTwice(psp: String)
    /// The PSP pays the marketplace, and our books say that the merchant was paid.
    case owedByNobody(psp: String)
    /// The PSP is to keep the commission for us, and cannot.
    case commissionNotKept(psp: String)
    /// The merchant is to be paid, and the route does not say where.
    case noMerchantAccount

    /// What there is to say against a route, if anything.
    ///
    /// - Parameters:
    ///   - route: the route, declared or stored.
    ///   - psp: the PSP of its account.
    ///   - capabilities: what that PSP can do.
    ///   - hasCommission: whether the marketplace keeps anything of the merchant's payments.
    package init?(to route: Merchant.Route, at psp: String, _ capabilities: Capabilities, hasCommission: Bool) {
        let wire = capabilities.payees.payee(of: route)
        switch (route.settlesTo, wire) {
        case (.marketplace, .merchant): self = .owedTwice(psp: psp)
        case (.marketplace, _): return nil
        case (.merchant, _) where hasCommission && route.commissionBy == .psp && !capabilities.applicationFee:
            self = .commissionNotKept(psp: psp)
        case (.merchant, _) where route.merchantAccount == nil: self = .noMerchantAccount
        case (.merchant, .marketplace), (.merchant, .nobody): self = .owedByNobody(psp: psp)
        case (.merchant, .merchant), (.merchant, .byContract): return nil
        }
    }

    /// What is wrong and, where money would be owed to the wrong party, the two ways out, in one sentence.
    package var reason: String {
        switch self {
        case .owedTwice(let psp):
            "\(psp) pays the merchant_account directly, and with settles_to: marketplace our books owe the merchant the "
                + "same money again: set settles_to: merchant, or drop merchant_account"
        case .owedByNobody(let psp):
            "\(psp) pays the owner of the PSP account and never the merchant_account, and with settles_to: merchant our "
                + "books owe the merchant nothing: drop settles_to: merchant, or route the merchant to another PSP"
        case .commissionNotKept(let psp): "\(psp) cannot keep the commission"
        case .noMerchantAccount: "has no merchant_account to settle to"
        }
    }

    /// The reason with what to do about it, whichever it is.
    package var advice: String {
        switch self {
        case .owedTwice, .owedByNobody: reason
        case .commissionNotKept: "\(reason): set commission_by: invoice, or drop settles_to: merchant"
        case .noMerchantAccount: "\(reason): set merchant_account, or drop settles_to: merchant"
        }
    }

    /// The field of a route that it is about.
    package var field: String {
        switch self {
        case .owedTwice, .owedByNobody: "settles_to"
        case .commissionNotKept: "commission_by"
        case .noMerchantAccount: "merchant_account"
        }
    }

    /// What there is to say against a merchant's routes.
    ///
    /// A route to an account that is not there is somebody else's business.
    ///
    /// - Parameters:
    ///   - merchant: the merchant, declared or stored.
    ///   - psps: the PSP of each of the marketplace's accounts, by the account's name.
    ///   - capabilities: what each PSP can do, by its name.
    /// - Returns: each objection with the number of its route.
    package static func all(
        to merchant: Merchant,
        psps: [String: String],
        _ capabilities: [String: Capabilities]
    ) -> [(route: Int, objection: RouteObjection)] {
        merchant.routes.enumerated().compactMap { index, route in
            guard let psp = psps[route.pspAccount], let can = capabilities[psp],
                let objection = RouteObjection(
                    to: route,
                    at: psp,
                    can,
                    hasCommission: merchant.commission.mayChargeAnything
                )
            else { return nil }
            return (index, objection)
        }
    }

    /// The same in sentences for an operator.
    package static func sentences(
        about merchant: Merchant,
        psps: [String: String],
        _ capabilities: [String: Capabilities]
    ) -> [String] {
        all(to: merchant, psps: psps, capabilities).map { index, objection in
            "merchant \(merchant.externalIdentifier): the route to \(merchant.routes[index].pspAccount): \(objection.advice)"
        }
    }
}

extension Payees {
    /// Who is paid for a payment on that route.
    package func payee(of route: Merchant.Route) -> Payee {
        guard route.merchantAccount != nil else { return withoutMerchantAccount }
        return route.settlesTo == .merchant ? toMerchant : toMarketplace
    }
}
