import Domain
import Storage
import StrictJSON

/// Writes down, with a step, what others are to be told of it.
struct CallbackWriter: Sendable {
    let presentation: Presentation

    /// Turns what is told into callbacks that carry the order as it is after the step.
    func callbacks(for announcements: [Announcement], of order: Order) -> [NewCallback] {
        // What the marketplace is told of one step shows the same order.
        let isMarketplaceTold = announcements.contains { $0.audience == .marketplace }
        let document: JSON = isMarketplaceTold ? presentation.order(order) : .null
        return announcements.map { announcement in
            NewCallback(
                id: announcement.id,
                marketplace: order.marketplace,
                merchant: announcement.merchant,
                order: order.id,
                payment: announcement.payment,
                type: announcement.kind.rawValue,
                sequence: announcement.sequence,
                payload: payload(announcement, of: order, shownAs: document),
                at: announcement.at
            )
        }
    }

    private func payload(_ announcement: Announcement, of order: Order, shownAs document: JSON) -> String {
        let subject: (name: String, document: JSON)
        switch announcement.audience {
        case .marketplace: subject = ("order", document)
        case .merchant:
            guard let payment = order.payments.first(where: { $0.id == announcement.payment }) else {
                preconditionFailure("a merchant is told of its own payment")
            }
            subject = ("payment", presentation.payment(payment, order))
        }
        var data = [JSON.Member(subject.name, subject.document)]
        if announcement.audience == .marketplace, let payment = announcement.payment {
            data.append(JSON.Member("payment", .string(payment.text)))
        }
        if let dispute = announcement.dispute { data.append(JSON.Member("dispute", .string(dispute.text))) }
        return CallbackEnvelope.text(announcement.kind, announcement.sequence, at: announcement.at, data)
    }
}

extension Announcement {
    /// Whose endpoint it is for; nil for the marketplace's.
    fileprivate var merchant: MerchantID? {
        if case .merchant(let merchant) = audience { merchant } else { nil }
    }
}
