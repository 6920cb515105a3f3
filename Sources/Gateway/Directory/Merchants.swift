package import AdapterKit
package import Domain
package import SQL
package import Storage
import StrictJSON

/// Creating, changing, pausing and finding merchants.
package struct Merchants: Sendable {
    private static let merchantsAtOnce = 1000

    private let database: any Database
    private let actor: AuditActor

    /// The merchants in a database, as somebody looks after them.
    package init(_ database: any Database, by actor: AuditActor) {
        self.database = database
        self.actor = actor
    }

    /// Creates a merchant, or updates the one with the same external identifier.
    ///
    /// - Parameters:
    ///   - document: what it is to be.
    ///   - status: whether it takes new payments; nil leaves that as it is, and a new one takes them.
    ///   - marketplace: whose it is.
    ///   - capabilities: what each PSP can do, by its name.
    ///   - now: the database's time.
    /// - Returns: the merchant, and whether it is new.
    /// - Throws: `InvalidDocument` for a route to an account that is not there, or on which the PSP would pay somebody
    ///   else than the books say; `SQLError`.
    package func save(
        _ document: MerchantDocument,
        _ status: Merchant.Status?,
        of marketplace: String,
        capabilities: [String: Capabilities],
        at now: Timestamp
    ) async throws -> (merchant: Merchant, isNew: Bool) {
        func write() async throws -> (merchant: Merchant, isNew: Bool) {
            try await database.write { session in
                try MarketplaceTable.lock(marketplace, in: session)
                let known = try MerchantTable.find([document.externalIdentifier], of: marketplace, in: session).first
                var ids = IdentifierSource()
                let merchant = document.merchant(
                    of: marketplace,
                    id: known?.id ?? ids.make(at: now),
                    status ?? known?.status ?? .active
                )
                let accounts = try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace)))
                let violations = Self.violations(of: merchant, accounts, capabilities)
                guard violations.isEmpty else { throw InvalidDocument(violations: violations) }
                try MerchantTable.save(merchant, at: now, in: session)
                try record(.saveMerchant, on: merchant, at: now, ["new": .bool(known == nil)], in: session)
                return (merchant, known == nil)
            }
        }
        do {
            return try await write()
        } catch SQLError.uniqueViolation {
            // Another request created the merchant meanwhile; now it is updated.
            return try await write()
        }
    }

    /// Sets the status of all of them, or of none if one is unknown; of those that have it already nothing is written.
    ///
    /// - Returns: the merchants as they are now.
    /// - Throws: ``DirectoryRefusal``, or `SQLError`.
    package func setStatus(
        _ status: Merchant.Status,
        of externalIdentifiers: [String],
        in choice: MarketplaceChoice,
        at now: Timestamp
    ) async throws -> [Merchant] {
        try await database.write { session in
            let owner = try choice.marketplace(in: session)
            try MarketplaceTable.lock(owner, in: session)
            var found = try MerchantTable.find(externalIdentifiers, of: owner, in: session)
            let known = Set(found.map(\.externalIdentifier))
            if let unknown = externalIdentifiers.first(where: { !known.contains($0) }) {
                throw DirectoryRefusal.unknownMerchant(unknown)
            }
            for index in found.indices where found[index].status != status {
                found[index].status = status
                try MerchantTable.setStatus(status, of: found[index].id, at: now, in: session)
                let act = status == .paused ? AuditAct.pauseMerchant : .resumeMerchant
                try record(act, on: found[index], at: now, in: session)
            }
            return found
        }
    }

    private func record(
        _ act: AuditAct,
        on merchant: Merchant,
        at now: Timestamp,
        _ details: JSON = [:],
        in session: any Session
    ) throws(SQLError) {
        try AuditTrailTable.record(
            act,
            by: actor,
            on: AuditSubject(.merchant, merchant.id.text),
            of: merchant.marketplace,
            at: now,
            details,
            in: session
        )
    }

    /// All merchants of a marketplace, by external identifier.
    ///
    /// - Throws: `SQLError`.
    package static func all(of marketplace: String, in session: any Session) throws(SQLError) -> [Merchant] {
        var all: [Merchant] = []
        while true {
            let page = try MerchantTable.list(
                of: marketplace,
                after: all.last?.externalIdentifier ?? "",
                limit: merchantsAtOnce,
                in: session
            )
            all += page
            if page.count < merchantsAtOnce { return all }
        }
    }

    /// The merchant of a marketplace that somebody means by its external identifier or its id.
    ///
    /// - Throws: ``DirectoryRefusal/unknownMerchant(_:)``, or `SQLError`.
    package static func find(_ name: String, of marketplace: String, in session: any Session) throws -> Merchant {
        if let known = try MerchantTable.find([name], of: marketplace, in: session).first { return known }
        if let id = MerchantID(name), let known = try MerchantTable.find(id, of: marketplace, in: session) {
            return known
        }
        throw DirectoryRefusal.unknownMerchant(name)
    }

    /// What is wrong with a merchant's routes, given the marketplace's accounts.
    private static func violations(
        of merchant: Merchant,
        _ accounts: [PSPAccount],
        _ capabilities: [String: Capabilities]
    ) -> [Violation] {
        let psps = Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0.psp) })
        let unknown = merchant.routes.enumerated().filter { psps[$0.element.pspAccount] == nil }.map { index, _ in
            Violation(
                pointer: "/routes/\(index)/psp_account",
                code: "unknown_psp_account",
                detail: "There is no PSP account with this id."
            )
        }
        guard unknown.isEmpty else { return unknown }
        return RouteObjection.all(to: merchant, psps: psps, capabilities).map { index, objection in
            Violation(
                pointer: "/routes/\(index)/\(objection.field)",
                code: "payee_mismatch",
                detail: "The PSP would not pay whom the books say: \(objection.advice)."
            )
        }
    }
}

extension Merchant {
    /// Refuses new payments while the merchant is paused, and whatever a context says of it that differs from its
    /// record.
    ///
    /// - Parameters:
    ///   - identifier: its Apple merchant identifier, if the context says one.
    ///   - name: its name, if the context says one.
    ///   - domain: its domain, if the context says one.
    ///   - place: where the context stands in the body.
    ///   - violations: where to say what is wrong.
    func check(
        identifier: String?,
        name: String?,
        domain: String?,
        at place: JSONPointer,
        _ violations: Violations
    ) {
        if status == .paused {
            violations.add(
                at: place.appending("external_identifier"),
                "merchant_paused",
                "The merchant takes no new payments at this time."
            )
        }
        let fields = [
            ("merchant_identifier", identifier, merchantIdentifier),
            ("merchant_name", name, self.name),
            ("merchant_domain", domain, self.domain),
        ]
        for (field, sent, recorded) in fields where sent != nil && sent != recorded {
            violations.add(
                at: place.appending(field),
                "merchant_mismatch",
                "Differs from the merchant's record; leave it out."
            )
        }
    }
}
