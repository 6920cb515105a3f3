package import Domain
package import StrictJSON

/// A merchant as an operator declares it, in JSON or in YAML: the one form in which it is read and written.
///
/// It is not yet checked against anything stored.
package struct MerchantDocument: Hashable, Sendable {
    private static let routeLimit = 20

    /// Its stable identifier (Apple's rule), by which it is created or updated.
    package let externalIdentifier: String
    /// Its name for people, on the payment sheet too.
    package let name: String
    /// Its own Apple merchant identifier, if it has one.
    package let merchantIdentifier: String?
    /// Its top-level domain, if it has one.
    package let domain: String?
    /// Whether it stands for the marketplace itself.
    package let kind: Merchant.Kind
    /// What buyers read on the statement of a payment to it that says nothing else.
    package let statementDescriptor: String?
    /// What the marketplace keeps.
    package let commission: CommissionRule
    /// Who bears what disputes take of its payments.
    package let disputeLiability: DisputeLiability
    /// The PSP accounts that serve it, in order; at least one.
    package let routes: [Merchant.Route]
    /// What its papers say of it.
    package let profile: BusinessProfile

    /// Reads a merchant; nil where a violation was recorded.
    package init?(_ body: ObjectReader) {
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
        statementDescriptor = StatementDescriptor.read(body)
        commission = body.object("commission", .optional, CommissionRule.init(reading:)) ?? CommissionRule()
        disputeLiability = body.choice("dispute_liability", .optional) ?? .merchant
        profile = BusinessProfile(reading: body)
        let routes = body.array("routes", count: 1...Self.routeLimit, Merchant.Route.init(reading:))
        guard let externalIdentifier, let name, let routes else { return nil }
        self.externalIdentifier = externalIdentifier
        self.name = name
        self.routes = routes
    }

    /// The merchant of a marketplace that the document describes.
    package func merchant(of marketplace: String, id: MerchantID, _ status: Merchant.Status = .active) -> Merchant {
        Merchant(
            id: id,
            marketplace: marketplace,
            externalIdentifier: externalIdentifier,
            name: name,
            merchantIdentifier: merchantIdentifier,
            domain: domain,
            kind: kind,
            statementDescriptor: statementDescriptor,
            commission: commission,
            disputeLiability: disputeLiability,
            status: status,
            routes: routes,
            profile: profile
        )
    }

    /// A stored merchant as JSON.
    package static func json(_ merchant: Merchant) -> JSON {
        [
            "id": .string(merchant.id.text), "external_identifier": .string(merchant.externalIdentifier),
            "name": .string(merchant.name), "merchant_identifier": .optional(merchant.merchantIdentifier),
            "domain": .optional(merchant.domain), "kind": .string(merchant.kind.rawValue),
            "status": .string(merchant.status.rawValue),
            "statement_descriptor": .optional(merchant.statementDescriptor), "commission": merchant.commission.document,
            "dispute_liability": .string(merchant.disputeLiability.rawValue),
            "routes": .array(merchant.routes.map(\.document)), "time_zone": .optional(merchant.profile.timeZone),
            "legal": .optional(merchant.profile.legal?.document),
        ]
    }
}

extension Merchant.Route {
    private static let walletNames = ["apple_pay", "google_pay", "network_token", "psp_token"]

    /// Reads a route; nil where a violation was recorded.
    ///
    /// A list that is there is not empty: what serves everything leaves the list out.
    fileprivate init?(reading body: ObjectReader) {
        let account = body.string("psp_account", length: 1...64, by: TextRule.slug.accept)
        let merchantAccount = body.string("merchant_account", .optional, length: 1...128, by: TextRule.reference.accept)
        let settlesTo = body.parsed("settles_to", .optional, expecting: "marketplace or merchant") {
            RouteSnapshot.SettlesTo(rawValue: $0)
        }
        let commissionBy = body.parsed("commission_by", .optional, expecting: "psp or invoice") {
            RouteSnapshot.CommissionBy(rawValue: $0)
        }
        if commissionBy != nil, settlesTo != .merchant {
            body.refuse("commission_by", "contradiction", "Has a meaning only with settles_to: merchant.")
        }
        if settlesTo == .merchant, !body.contains("merchant_account") {
            let detail =
                "There is no merchant_account to settle to: set merchant_account, or drop settles_to: merchant."
            body.refuse("merchant_account", "missing_field", detail)
        }
        let currencies = body.strings("currencies", .optional, count: 1...200, expecting: "a currency of ISO 4217") {
            Currency(code: $0)?.code
        }
        let wallets = Self.words(body, "wallets", Self.walletNames)
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

    fileprivate var document: JSON {
        [
            "psp_account": .string(pspAccount), "merchant_account": .optional(merchantAccount),
            "settles_to": .string(settlesTo.rawValue), "commission_by": .string(commissionBy.rawValue),
            "currencies": .strings(currencies), "wallets": .strings(wallets), "networks": .strings(networks),
            "apple_pay": .string(applePay.rawValue),
        ]
    }

    private static func words(_ body: ObjectReader, _ key: String, _ known: [String]) -> [String]? {
        body.strings(key, .optional, count: 1...known.count, expecting: "one of \(known.joined(separator: ", "))") {
            known.contains($0) ? $0 : nil
        }
    }
}

extension CommissionRule {
    /// Reads a commission; amounts are in minor units by currency code.
    fileprivate init(reading body: ObjectReader) {
        self.init(
            basisPoints: body.integer("basis_points", .optional, in: 0...10_000) ?? 0,
            fixed: Self.amounts(body, "fixed"),
            minimum: Self.amounts(body, "minimum"),
            maximum: Self.amounts(body, "maximum"),
            taxBasisPoints: body.integer("tax_basis_points", .optional, in: 0...10_000) ?? 0,
            pspFeesBorneBy: body.parsed("psp_fees_borne_by", .optional, expecting: "merchant or marketplace") {
                FeeBearer(rawValue: $0)
            } ?? .merchant,
            returnedOnRefund: body.parsed("returned_on_refund", .optional, expecting: "pro_rata or none") {
                Return(rawValue: $0)
            } ?? .proRata,
            appliesTo: Self.parts(body) ?? Self.usualParts
        )
        for (code, least) in minimum.sorted(by: { $0.key < $1.key }) {
            guard let most = maximum[code], least > most else { continue }
            let place = body.pointer(to: "minimum").appending(code)
            body.violations.add(at: place, "contradiction", "Must not be more than the maximum.")
        }
    }

    private static func parts(_ body: ObjectReader) -> Set<Part>? {
        let names = Part.allCases.map(\.rawValue)
        let expected = "one of \(names.joined(separator: ", "))"
        return body.strings("applies_to", .optional, count: 1...names.count, expecting: expected) {
            Part(rawValue: $0)
        }.map(Set.init)
    }

    /// The rule as JSON.
    var document: JSON {
        [
            "basis_points": .integer(basisPoints), "fixed": Self.json(fixed), "minimum": Self.json(minimum),
            "maximum": Self.json(maximum), "tax_basis_points": .integer(taxBasisPoints),
            "psp_fees_borne_by": .string(pspFeesBorneBy.rawValue),
            "returned_on_refund": .string(returnedOnRefund.rawValue),
            "applies_to": .strings(Part.allCases.filter(appliesTo.contains).map(\.rawValue)),
        ]
    }

    private static func amounts(_ body: ObjectReader, _ key: String) -> [String: Int64] {
        body.object(key, .optional) { body in
            var amounts: [String: Int64] = [:]
            for code in body.keys {
                guard Currency(code: code) != nil else {
                    body.ignore(code)
                    body.refuse(code, "unknown_field", "Must be a currency of ISO 4217.")
                    continue
                }
                amounts[code] = body.integer(code, in: 0 ... .max)
            }
            return amounts
        } ?? [:]
    }

    private static func json(_ amounts: [String: Int64]) -> JSON {
        .object(amounts.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) })
    }
}

/// Domain names as certificates have them.
package enum DomainName {
    /// Whether the text is two labels or more of small letters, digits and inner hyphens.
    package static func isValid(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && text.utf8.count <= 253 && labels.allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
