package import Domain
import SQL
import Storage
package import StrictJSON
import WalletOrders
import WireFormats

/// Why what a marketplace tells of goods, or asks for a buyer, is refused.
package enum WalletOrderRefusal: Error, Hashable, Sendable {
    /// Nobody follows the order in Wallet.
    case notFollowed
    /// The order has several payments, and the request names none.
    case paymentMissing
    /// Wallet would not show it.
    case invalid([Violation])
}

extension WalletOrderService {
    /// Who tells of an order's goods.
    package struct Teller: Hashable, Sendable {
        /// The marketplace.
        package let marketplace: String
        /// The merchant whose payments alone it may tell of; nil for all.
        package let onlyMerchant: MerchantID?
        /// Who they are in the audit trail.
        let actor: AuditActor

        /// Names a teller.
        package init(marketplace: String, onlyMerchant: MerchantID?, actor: AuditActor) {
            self.marketplace = marketplace
            self.onlyMerchant = onlyMerchant
            self.actor = actor
        }
    }

    /// What became of something that was told.
    package struct Told: Hashable, Sendable {
        /// The order.
        package let order: Order
        /// The payment that it is about.
        package let payment: Payment
        /// What was told, without the payment and the files in it.
        package let document: JSON
        /// Whether it is new.
        package let isNew: Bool
    }

    /// Writes down what is told of a payment, in place of what was told under the same name; the same again changes nothing.
    ///
    /// The package that comes of it is put together before the order is locked, and anew under the lock only if the order in
    /// Wallet has changed meanwhile.
    ///
    /// - Parameters:
    ///   - json: what is told.
    ///   - kind: what it is, and the teller's name for it, unique among those of a payment.
    ///   - named: the payment, if the request names it outside of the document.
    ///   - id: the order.
    ///   - teller: who tells.
    /// - Returns: nil if there is no such order, or no payment in it that the teller may see.
    /// - Throws: ``WalletOrderRefusal``, or `SQLError`.
    package func tell(
        _ json: JSON,
        as kind: ToldName.Kind,
        of named: PaymentID? = nil,
        in id: OrderID,
        by teller: Teller
    ) async throws -> Told? {
        let document: any ToldDocument
        do throws(InvalidDocument) {
            document = try kind.document(json)
        } catch {
            throw WalletOrderRefusal.invalid(error.violations)
        }
        let telling = Telling(
            document: document,
            kind: kind,
            payment: named ?? json["payment"]?.stringValue.flatMap { PaymentID($0) },
            teller: teller
        )
        let seen = try await database.read { session in
            try OrderReader.load(id, in: session).flatMap { order in try look(at: order, telling, in: session) }
        }
        guard let seen else { return nil }
        if seen.isKnown { return seen.told(isNew: false) }
        try check(seen)
        return try await database.write { session in
            guard let order = try log.lock(id, in: session)?.order else { return nil }
            var present = seen
            // Locked, because retention forgets packages without asking their orders.
            if try WalletOrderTable.lock(id.text, type: seen.entry.type, in: session)?.version != seen.entry.version {
                guard let now = try look(at: order, telling, in: session) else { return nil }
                if now.isKnown { return now.told(isNew: false) }
                try check(now)
                present = now
            }
            let now = clock.now()
            try WalletDetailsTable.save(present.row, of: order.id, at: now, in: session)
            try WalletOrderTable.raise(
                order.id,
                payments: [present.payment.id],
                at: now,
                saying: order.time(at: now),
                in: session
            )
            try present.name.record(document, by: teller.actor, in: order, at: now, session)
            return present.told(isNew: present.isNew)
        }
    }

    /// What somebody wants to tell.
    private struct Telling: Sendable {
        let document: any ToldDocument
        let kind: ToldName.Kind
        let payment: PaymentID?
        let teller: Teller
    }

    /// What would come of it, as the order stands.
    private struct Prospect: Sendable {
        let name: ToldName
        let order: Order
        let payment: Payment
        let entry: WalletOrderTable.Entry
        let marketplace: MarketplaceTable.Marketplace
        let subject: WalletPackageBuilder.Subject
        let row: WalletDetailsTable.Told
        let answer: JSON
        /// Whether nothing was told under its name before.
        let isNew: Bool
        /// Whether the very same was.
        let isKnown: Bool

        func told(isNew: Bool) -> Told { Told(order: order, payment: payment, document: answer, isNew: isNew) }
    }

    private func look(at order: Order, _ telling: Telling, in session: any Session) throws -> Prospect? {
        guard let payment = try payment(telling.payment, of: order, telling.teller) else { return nil }
        let name = ToldName(telling.kind, of: payment.id)
        guard name.isOf(order) else { return nil }
        guard order.walletOrder != nil, let entry = try WalletOrderTable.find(order.id.text, in: session) else {
            throw WalletOrderRefusal.notFollowed
        }
        let (details, stored) = try WalletDetailsTable.find(order.id, in: session)
        let marketplaces = try MarketplaceTable.read(session.rows(MarketplaceTable.named(order.marketplace)))
        guard let details, let marketplace = marketplaces.first else { return nil }
        let context = WalletDetailsTable.context(told: name.id)
        let earlier = try stored.first { $0.id == name.id }.map { try vault.open($0.sealed, context) }
        var subject = try subject(order, details, stored.filter { $0.id != name.id }, of: marketplace.name)
        telling.document.add(to: &subject, as: name)
        let bytes = telling.document.json.bytes
        return Prospect(
            name: name,
            order: order,
            payment: payment,
            entry: entry,
            marketplace: marketplace,
            subject: subject,
            row: WalletDetailsTable.Told(id: name.id, payment: payment.id, sealed: try vault.seal(bytes, context)),
            answer: telling.document.answer,
            isNew: earlier == nil,
            isKnown: earlier == bytes
        )
    }

    /// Refuses what could not be shown, when it is told.
    ///
    /// Where nothing can be signed at present, everything but the marketplace's own pictures is looked at.
    private func check(_ prospect: Prospect) throws {
        guard let access = prospect.marketplace.wallets.orders else { return }
        let identity = try? builder.signers.identity(of: prospect.marketplace, at: clock.now()).1
        let entry = prospect.entry
        do throws(WalletOrderProblems) {
            let issue = builder.issue(entry.id, entry.type, updatedAt: entry.updatedAt)
            _ = try builder.files(of: prospect.subject, issue: issue, access, identity)
        } catch {
            throw WalletOrderRefusal.invalid(error.violations(at: .root))
        }
    }

    /// The payment that is meant: the one that is named, or the only one that the teller may tell of.
    private func payment(_ id: PaymentID?, of order: Order, _ teller: Teller) throws -> Payment? {
        guard order.marketplace == teller.marketplace else { return nil }
        var payments = order.payments
        if let merchant = teller.onlyMerchant {
            // What the merchant may see of the order: as in `GET /v1/payments/{id}`.
            payments = payments.filter {
                $0.merchant == merchant && (order.decision.state == .accepted || $0.captured > 0)
            }
        }
        if let id { return payments.first { $0.id == id } }
        guard payments.count <= 1 else { throw WalletOrderRefusal.paymentMissing }
        return payments.first
    }

    /// A link to the package of an order, or of one payment of it, for the buyer's own page or mail.
    ///
    /// The package of a payment is made with the first link to it.
    ///
    /// - Returns: nil if there is no such order or payment.
    /// - Throws: ``WalletOrderRefusal/notFollowed``, ``WalletPackageUnavailable`` if there is nothing to load now, or
    ///   `SQLError`.
    package func link(to order: OrderID, payment: PaymentID?, of marketplace: String) async throws -> Link? {
        let now = clock.now()
        let found = try await database.write { session -> (WalletOrderTable.Entry, Order)? in
            guard let order = try log.lock(order, in: session)?.order, order.marketplace == marketplace else {
                return nil
            }
            if let payment, !order.payments.contains(where: { $0.id == payment }) { return nil }
            guard let reference = order.walletOrder else { throw WalletOrderRefusal.notFollowed }
            if let payment {
                try WalletOrderTable.insert(
                    order,
                    payment: payment,
                    type: reference.type,
                    at: now,
                    saying: order.time(at: now),
                    in: session
                )
            }
            let entry = try WalletOrderTable.find(payment?.text ?? order.id.text, in: session)
            guard let entry else { throw WalletOrderRefusal.notFollowed }
            return (entry, order)
        }
        guard let (entry, order) = found, let service = order.walletOrder?.webServiceURL else { return nil }
        // A link to what cannot be made is none.
        guard try await package(entry.id, of: entry.type, knowing: (nil, []), noting: false) != nil else {
            throw WalletOrderRefusal.notFollowed
        }
        let end = now.adding(milliseconds: Self.linkMilliseconds).wholeSecond
        let second = end.microseconds / 1_000_000
        guard let proof = builder.linkProof(entry.id, of: entry.type, until: second) else {
            throw WalletPackageUnavailable()
        }
        return Link(url: "\(service)/links/\(entry.type)/\(entry.id)/\(second).\(proof)", expiresAt: end)
    }

    /// Whether the last part of a link's path proves that it may be loaded now.
    package func isLink(_ text: String, to id: String, of type: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let second = Int64(Substring(parts[0])), String(second).utf8.elementsEqual(parts[0]),
            let own = builder.linkProof(id, of: type, until: second), isSame(own, Substring(parts[1]))
        else { return false }
        return clock.now() < Timestamp(seconds: second)
    }
}
