package import Domain
import StrictJSON

/// A declared merchant.
package struct MerchantDeclaration: Hashable, Sendable {
    /// What a merchant is to the marketplace.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A submerchant.
        case merchant
        /// The marketplace's own share.
        case marketplace
    }

    /// Its stable identifier (Apple's rule).
    package var externalIdentifier: String
    /// Its name for people, on the payment sheet too.
    package var name: String
    /// Its own Apple merchant identifier, if it has one.
    package var merchantIdentifier: String?
    /// Its top-level domain, if it has one.
    package var domain: String?
    /// Whether it stands for the marketplace itself.
    package var kind: Kind
    /// The PSP accounts that serve it, in order; at least one.
    package var routes: [RouteDeclaration]
    /// What the marketplace keeps.
    package var commission: CommissionRule
    /// Who bears what disputes take of its payments.
    package var disputeLiability: DisputeLiability
    /// Where it hears about its payments, if anywhere.
    package var callback: CallbackDeclaration?

    init?(_ body: ObjectReader, file: String) {
        let externalIdentifier = body.string("external_identifier", length: 1...128, by: TextRule.identifier.accept)
        let name = body.string("name", length: 1...128, by: TextRule.freeText.accept)
        merchantIdentifier = body.string(
            "merchant_identifier",
            .optional,
            length: 1...128,
            by: TextRule.identifier.accept
        )
        domain = body.parsed("domain", .optional, expecting: "a domain name in lower-case ASCII") {
            Self.isDomain($0) ? $0 : nil
        }
        kind = body.choice("kind", .optional) ?? .merchant
        let routes = body.array("routes", count: 1...20, RouteDeclaration.init)
        commission = body.object("commission", .optional, CommissionRule.init) ?? CommissionRule()
        disputeLiability = body.choice("dispute_liability", .optional) ?? .merchant
        callback = body.object("callback", .optional) { CallbackDeclaration($0, file: file) }
        guard let externalIdentifier, let name, let routes else { return nil }
        self.externalIdentifier = externalIdentifier
        self.name = name
        self.routes = routes
    }

    /// Two labels or more of letters, digits and inner hyphens.
    private static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
            }
    }
}
