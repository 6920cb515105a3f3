import Domain

/// What must hold of everything that was ever announced of an order.
enum AnnouncementRules {
    /// What is wrong with it.
    static func complaints(about announcements: [Announcement], of order: Order) -> [String] {
        var complaints: [String] = []
        let marketplace = announcements.filter { $0.audience == .marketplace }.map(\.sequence)
        if !isCount(marketplace, upTo: order.announced) { complaints.append("the marketplace's sequence has gaps") }
        for payment in order.payments {
            let told = announcements.filter { $0.payment == payment.id && $0.audience != .marketplace }
            if !isCount(told.map(\.sequence), upTo: payment.announced) {
                complaints.append("the sequence of \(payment.externalIdentifier) has gaps")
            }
            if told.contains(where: { $0.audience != .merchant(payment.merchant) }) {
                complaints.append("another merchant was told of \(payment.externalIdentifier)")
            }
            let isAccepted = [.accepted, .canceled].contains(order.decision.state)
            if !told.isEmpty, !isAccepted { complaints.append("a merchant was told before the order was accepted") }
        }
        if Set(announcements.map(\.id)).count != announcements.count { complaints.append("a name was used twice") }
        return complaints
    }

    private static func isCount(_ sequence: [Int64], upTo end: Int64) -> Bool {
        sequence == (end == 0 ? [] : Array(1...end))
    }
}
