import Domain
import StrictJSON

/// A merchant as an operator declares it, not yet checked against anything stored.
struct MerchantReader {
    private static let routeLimit = 20

    /// The merchant's stable identifier, by which it is created or updated.
    let externalIdentifier: String
    private let name: String
    private let merchantIdentifier: String?
    private let domain: String?
    private let kind: Merchant.Kind
    private let status: Merchant.Status?
    private let commission: CommissionRule
    private let disputeLiability: DisputeLiability
    /// The PSP accounts that serve it, in order; at least one.
    let routes: [Merchant.Route]

    /// Reads the body of `POST /v1/merchants`.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    init(_ json: JSON) throws(InvalidDocument) {
        self = try json.read(refusingNull: true) { MerchantReader($0) }
    }

    private init?(_ body: ObjectReader) {
        let externalIdentifier = body.string("external_identifier", length: 1...128, by: TextRule.identifier.accept)
        let name = body.string("name", length: 1...128, by: TextRule.freeText.accept)
        merchantIdentifier = body.string(
            "merchant_identifier",
            .optional,
            length: 1...128,
            by: TextRule.identifier.accept
        )
        domain = body.parsed("domain", .optional, expecting: "a domain name in lower-case ASCII") {
            DomainName.isValid($0) ? $0 : nil
        }
        kind = body.choice("kind", .optional) ?? .merchant
        status = body.choice("status", .optional)
        commission = body.object("commission", .optional, CommissionRule.init(reading:)) ?? CommissionRule()
        disputeLiability = body.choice("dispute_liability", .optional) ?? .merchant
        let routes = body.array("routes", count: 1...Self.routeLimit, Merchant.Route.init(reading:))
        guard let externalIdentifier, let name, let routes else { return nil }
        self.externalIdentifier = externalIdentifier
        self.name = name
        self.routes = routes
    }

    /// The merchant, with what a declaration does not say from its record, if there is one.
    func merchant(of marketplace: String, updating known: Merchant?, orNamed id: MerchantID) -> Merchant {
        Merchant(
            id: known?.id ?? id,
            marketplace: marketplace,
            externalIdentifier: externalIdentifier,
            name: name,
            merchantIdentifier: merchantIdentifier,
            domain: domain,
            kind: kind,
            commission: commission,
            disputeLiability: disputeLiability,
            status: status ?? known?.status ?? .active,
            routes: routes
        )
    }

    /// A violation for each route to a PSP account that is not among these.
    func unknownAccounts(among accounts: Set<String>) -> [Violation] {
        routes.enumerated().compactMap { index, route in
            guard !accounts.contains(route.pspAccount) else { return nil }
            return Violation(
                pointer: "/routes/\(index)/psp_account",
                code: "unknown_psp_account",
                detail: "There is no PSP account with this id."
            )
        }
    }
}
