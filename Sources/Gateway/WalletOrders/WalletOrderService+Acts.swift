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

    /// What became of a fulfillment.
    package struct ToldFulfillment: Hashable, Sendable {
        /// The order.
        package let order: Order
        /// The payment whose goods it brings.
        package let payment: Payment
        /// Whether it is new.
        package let isNew: Bool
    }

    /// Writes down how goods of a payment come, in place of what was told under the same name; the same again changes nothing.
    ///
    /// - Parameters:
    ///   - document: what is told.
    ///   - name: the teller's name for it, unique among those of a payment.
    ///   - id: the order.
    ///   - teller: who tells.
    /// - Returns: nil if there is no such order, or no payment in it that the teller may see.
    /// - Throws: ``WalletOrderRefusal``, ``WalletPackageUnavailable``, or `SQLError`.
    package func tell(
        _ document: FulfillmentDocument,
        named name: String,
        of id: OrderID,
        by teller: Teller
    ) async throws -> ToldFulfillment? {
        let now = clock.now()
        return try await database.write { session in
            guard let order = try log.lock(id, in: session)?.order,
                let payment = try payment(document.payment, of: order, teller)
            else { return nil }
            guard let reference = order.walletOrder, let entry = try WalletOrderTable.find(order.id.text, in: session)
            else { throw WalletOrderRefusal.notFollowed }
            let told = WalletDetailsTable.fulfillment(name, of: payment.id)
            let (details, stored) = try WalletDetailsTable.find(order.id, in: session)
            let marketplaces = try MarketplaceTable.read(session.rows(MarketplaceTable.named(order.marketplace)))
            guard let details, let marketplace = marketplaces.first else { return nil }
            let context = WalletDetailsTable.context(fulfillment: told)
            let earlier = try stored.first { $0.id == told }.map { try vault.open($0.sealed, context) }
            if earlier == document.json.bytes { return ToldFulfillment(order: order, payment: payment, isNew: false) }
            var subject = try subject(order, details, stored.filter { $0.id != told }, of: marketplace.name)
            subject.fulfillments.append(document.fulfillment(told, of: payment.id))
            try check(subject, entry, reference, marketplace, at: now)
            let fulfillment = WalletDetailsTable.Fulfillment(
                id: told,
                payment: payment.id,
                sealed: try vault.seal(document.json.bytes, context)
            )
            try WalletDetailsTable.save(fulfillment, of: order.id, at: now, in: session)
            try WalletOrderTable.raise(
                order.id,
                payments: [payment.id],
                at: now,
                saying: order.time(at: now),
                in: session
            )
            try teller.record(document, named: name, of: payment, in: order, at: now, session)
            return ToldFulfillment(order: order, payment: payment, isNew: earlier == nil)
        }
    }

    /// Refuses what could not be shown, when it is told.
    ///
    /// Where nothing can be signed at present, what is told is kept: it is shown once something can.
    private func check(
        _ subject: WalletPackageBuilder.Subject,
        _ entry: WalletOrderTable.Entry,
        _ reference: WalletOrderReference,
        _ marketplace: MarketplaceTable.Marketplace,
        at now: Timestamp
    ) throws {
        guard let (access, identity) = try? builder.signers.identity(of: marketplace, at: now) else { return }
        do throws(WalletOrderProblems) {
            let issue = builder.issue(entry.id, reference.type, updatedAt: entry.updatedAt)
            _ = try builder.files(of: subject, issue: issue, access, identity)
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
        _ = try await package(entry.id, of: entry.type, knowing: (nil, []), noting: false)
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
        guard parts.count == 2, let second = Int64(Substring(parts[0])),
            let own = builder.linkProof(id, of: type, until: second), isSame(own, Substring(parts[1]))
        else { return false }
        return clock.now() < Timestamp(seconds: second)
    }
}
