extension OrderMachine {
    /// What others are told of this step, each with its number; counts them in the order.
    ///
    /// A pure function of the order before and after, so that whatever led from one to the other, nothing is told
    /// twice and nothing is left out.
    ///
    /// - Parameter before: the order as it is stored.
    /// - Returns: what the marketplace and merchants are told, in an order that makes sense.
    package mutating func announce(since before: Order) -> [Announcement] {
        var announcements: [Announcement] = []
        for kind in OrderNews.kinds(from: before, to: order) {
            announcements.append(announceToMarketplace(kind))
        }
        for (index, earlier) in zip(order.payments.indices, before.payments) {
            let payment = order.payments[index]
            let news = PaymentNews(
                from: earlier.sale.outlook,
                to: payment.sale.outlook,
                disputes: payment.disputes,
                tellsHolds: true
            )
            for item in news.items { announcements.append(announceToMarketplace(item.kind, payment.id, item.dispute)) }
            announcements += announceToMerchant(at: index, since: earlier, in: before)
        }
        return announcements
    }

    private mutating func announceToMarketplace(
        _ kind: Announcement.Kind,
        _ payment: PaymentID? = nil,
        _ dispute: DisputeID? = nil
    ) -> Announcement {
        order.announced += 1
        return Announcement(
            ids.make(at: now),
            kind,
            to: .marketplace,
            payment: payment,
            dispute: dispute,
            sequence: order.announced,
            at: now
        )
    }

    /// A merchant hears of its payment from the moment on at which the order is accepted and counts on it.
    private mutating func announceToMerchant(
        at index: Int,
        since earlier: Payment,
        in before: Order
    ) -> [Announcement] {
        let payment = order.payments[index]
        guard order.isOpen(to: payment) else { return [] }
        let news = PaymentNews(
            from: before.isOpen(to: earlier) ? earlier.sale.outlook : .nothing,
            to: payment.sale.outlook,
            disputes: payment.disputes,
            tellsHolds: order.terms.capture == .manual
        )
        var announcements: [Announcement] = []
        for item in news.items {
            let isReused = PlantedBug.sequenceReused.isPlanted && order.payments[index].announced > 0
            order.payments[index].announced += isReused ? 0 : 1
            let announcement = Announcement(
                ids.make(at: now),
                item.kind,
                to: .merchant(payment.merchant),
                payment: payment.id,
                dispute: item.dispute,
                sequence: order.payments[index].announced,
                at: now
            )
            announcements.append(announcement)
        }
        return announcements
    }
}

extension Order {
    /// Whether a payment's merchant may know of it: the order was accepted, counting on it.
    fileprivate func isOpen(to payment: Payment) -> Bool {
        payment.announced > 0 || (decision.state == .accepted && counts(payment))
            || PlantedBug.merchantToldEarly.isPlanted
    }

    fileprivate var refundedOfSale: Int64 { payments.reduce(0) { $0 + $1.sale.refunded } }
}

/// What is told of an order as a whole.
private enum OrderNews {
    /// What the marketplace is told, in the order in which it makes sense.
    static func kinds(from before: Order, to after: Order) -> [Announcement.Kind] {
        var kinds: [Announcement.Kind] = []
        if after.decision.state != before.decision.state { kinds += decided(after.decision.state) }
        let refunded = after.refundedOfSale - before.refundedOfSale
        if after.status != before.status {
            if after.status == .requiresAction { kinds.append(.orderRequiresAction) }
            if isPaid(after.status), !isPaid(before.status), refunded == 0 { kinds.append(.orderPaid) }
        }
        if refunded > 0, after.decision.state == .accepted { kinds.append(.orderRefunded) }
        let known = Set(before.attention.map(Matter.init))
        if !known.isSuperset(of: after.attention.map(Matter.init)) { kinds.append(.orderAttentionRequired) }
        if after.isExpiryTold, !before.isExpiryTold { kinds.append(.orderAuthorizationExpiring) }
        return kinds
    }

    private static func decided(_ state: Decision.State) -> [Announcement.Kind] {
        switch state {
        case .pending, .cleared: []
        case .accepted: [.orderAccepted]
        case .refused: [.orderRefused]
        case .canceled: [.orderCanceled]
        }
    }

    private static func isPaid(_ status: OrderStatus) -> Bool { status == .paid || status == .partiallyPaid }

    /// What makes two items of attention the same one, however its amount changes.
    private struct Matter: Hashable {
        let operation: OperationID
        let reason: Attention.Reason

        init(_ attention: Attention) {
            operation = attention.operation
            reason = attention.reason
        }
    }
}

/// What is told of a payment: the difference between what could be known of it before a step and after it.
private struct PaymentNews {
    /// One thing to tell.
    struct Item: Hashable {
        var kind: Announcement.Kind
        var dispute: DisputeID?
    }

    /// What one that is told of a payment knows of it.
    struct Outlook: Hashable {
        var authorized: Int64 = 0
        var captured: Int64 = 0
        var refunded: Int64 = 0
        var isHeld = false
        var failedCaptures: Set<OperationID> = []
        var disputes: [DisputeID: DisputeStanding] = [:]

        /// Nothing is known.
        static let nothing = Outlook()
    }

    /// How a dispute stands.
    struct DisputeStanding: Hashable {
        let state: DisputeNotice.State
        let chargedBack: Int64
    }

    let items: [Item]

    /// Compares two outlooks.
    ///
    /// - Parameters:
    ///   - before: what was known.
    ///   - after: what is known now.
    ///   - disputes: the payment's disputes, in the order of hearing.
    ///   - tellsHolds: whether a hold is news; to a merchant it is none if it is captured at once.
    init(from before: Outlook, to after: Outlook, disputes: [Dispute], tellsHolds: Bool) {
        var items: [Item] = []
        if tellsHolds, after.authorized > before.authorized { items.append(Item(kind: .paymentAuthorized)) }
        if after.captured > before.captured { items.append(Item(kind: .paymentCaptured)) }
        let hasFailed = !after.failedCaptures.isSubset(of: before.failedCaptures)
        if hasFailed || after.captured < before.captured { items.append(Item(kind: .paymentCaptureFailed)) }
        if before.isHeld, !after.isHeld, after.captured == 0 { items.append(Item(kind: .paymentVoided)) }
        if after.refunded > before.refunded { items.append(Item(kind: .paymentRefunded)) }
        if after.refunded < before.refunded { items.append(Item(kind: .paymentRefundFailed)) }
        for dispute in disputes where before.disputes[dispute.id] != after.disputes[dispute.id] {
            guard let standing = after.disputes[dispute.id] else { continue }
            items.append(Item(kind: Self.kind(of: standing.state), dispute: dispute.id))
        }
        self.items = items
    }

    private static func kind(of state: DisputeNotice.State) -> Announcement.Kind {
        switch state {
        case .opened: .disputeOpened
        case .won: .disputeWon
        case .lost: .disputeLost
        }
    }
}

extension Payment {
    /// All that is known of it.
    fileprivate var outlook: PaymentNews.Outlook {
        PaymentNews.Outlook(
            authorized: authorized,
            captured: captured,
            refunded: refunded,
            isHeld: held > 0,
            failedCaptures: Set(attempts.flatMap(\.failedCaptures).map(\.id)),
            disputes: Dictionary(
                disputes.map { ($0.id, .init(state: $0.state, chargedBack: $0.chargedBack)) },
                uniquingKeysWith: { _, later in later }
            )
        )
    }
}
