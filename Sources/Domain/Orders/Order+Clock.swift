extension Order {
    /// The order by a later reading of its marketplace's clock.
    ///
    /// What has to do with the world outside keeps its real age and its real end: the lease of an operation that is in
    /// somebody's hand, a search, and how long ago an operation without an outcome was sent. A PSP's clock is not moved with ours.
    package func moved(to later: MarketplaceClock) -> Order {
        guard let before = clock.aheadMicroseconds, let after = later.aheadMicroseconds, after > before else {
            return self
        }
        var order = self
        order.clock = later
        for payment in order.payments.indices {
            for attempt in order.payments[payment].attempts.indices {
                for operation in order.payments[payment].attempts[attempt].operations.indices {
                    order.payments[payment].attempts[attempt].operations[operation].keepReal(after - before)
                }
            }
        }
        return order
    }
}

extension Operation {
    /// Moves along with the clock what has to keep its real age.
    fileprivate mutating func keepReal(_ microseconds: Int64) {
        func moved(_ time: Timestamp) -> Timestamp {
            MarketplaceClock(aheadMicroseconds: microseconds).time(at: time)
        }
        if leasedBy != nil || awaitsSearch { dueAt = dueAt.map(moved) }
        guard isOpen else { return }
        sentAt = sentAt.map(moved)
        firstSentAt = firstSentAt.map(moved)
        distrustedAt = distrustedAt.map(moved)
        skippedMicroseconds += microseconds
    }
}
