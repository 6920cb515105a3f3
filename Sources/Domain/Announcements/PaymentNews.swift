/// What is told of a payment: the difference between what could be known of it before a step and after it.
struct PaymentNews {
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
        var failedCapture: OperationID?
        var disputes: [DisputeID: DisputeNotice.State] = [:]

        /// Nothing is known.
        static let nothing = Outlook()
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
        let hasFailed = after.failedCapture != nil && after.failedCapture != before.failedCapture
        if hasFailed || after.captured < before.captured { items.append(Item(kind: .paymentCaptureFailed)) }
        if before.isHeld, !after.isHeld, after.captured == 0 { items.append(Item(kind: .paymentVoided)) }
        if after.refunded > before.refunded { items.append(Item(kind: .paymentRefunded)) }
        for dispute in disputes where before.disputes[dispute.id] != after.disputes[dispute.id] {
            guard let state = after.disputes[dispute.id] else { continue }
            items.append(Item(kind: Self.kind(of: state), dispute: dispute.id))
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
    var outlook: PaymentNews.Outlook {
        PaymentNews.Outlook(
            authorized: authorized,
            captured: captured,
            refunded: refunded,
            isHeld: held > 0,
            failedCapture: attempts.compactMap(\.failedCapture).last?.id,
            disputes: Dictionary(disputes.map { ($0.id, $0.state) }, uniquingKeysWith: { _, later in later })
        )
    }
}
