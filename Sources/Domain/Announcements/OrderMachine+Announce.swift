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
                from: earlier.outlook,
                to: payment.outlook,
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
            from: before.isOpen(to: earlier) ? earlier.outlook : .nothing,
            to: payment.outlook,
            disputes: payment.disputes,
            tellsHolds: order.terms.capture == .manual
        )
        var announcements: [Announcement] = []
        for item in news.items {
            order.payments[index].announced += 1
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
        payment.announced > 0 || (decision.state == .accepted && decision.countsOn.contains(payment.id))
    }
}
