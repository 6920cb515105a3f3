package import Domain
import Storage
package import StrictJSON

/// Orders, payments and payouts as the API shows them, in answers and in callbacks.
package struct Presentation: Sendable {
    /// Writes an order as the checkout's final answer.
    package var answer: @Sendable (Order) -> [UInt8]
    /// Writes an order.
    package var order: @Sendable (Order) -> JSON
    /// Writes a payment as its merchant sees it, with the id of its order.
    package var payment: @Sendable (Payment, Order) -> JSON
    /// Writes what a payout pays for.
    package var cover: @Sendable (PayoutBreakdown) -> JSON
    /// Writes a payout, with its merchant's external identifier and what it pays for.
    package var payout: @Sendable (Payout, _ name: String, _ covers: JSON) -> JSON
    /// Writes an agreement, to the marketplace or as its merchant sees it.
    package var agreement: @Sendable (Agreement, _ isForMerchant: Bool) -> JSON

    /// Gathers the writers.
    package init(
        answer: @escaping @Sendable (Order) -> [UInt8],
        order: @escaping @Sendable (Order) -> JSON,
        payment: @escaping @Sendable (Payment, Order) -> JSON,
        cover: @escaping @Sendable (PayoutBreakdown) -> JSON,
        payout: @escaping @Sendable (Payout, _ name: String, _ covers: JSON) -> JSON,
        agreement: @escaping @Sendable (Agreement, _ isForMerchant: Bool) -> JSON
    ) {
        self.answer = answer
        self.order = order
        self.payment = payment
        self.cover = cover
        self.payout = payout
        self.agreement = agreement
    }
}

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
                at: order.clock.realTime(of: announcement.at)
            )
        }
    }

    /// What one of them is told: the body of a callback, as it is signed and sent.
    func payload(_ announcement: Announcement, of order: Order, shownAs document: JSON) -> String {
        let payment = order.payments.first { $0.id == announcement.payment }
        var data: [JSON.Member] = []
        switch announcement.audience {
        case .marketplace:
            // What is about a whole order has but one reader.
            if payment != nil { data.append(JSON.Member("audience", "marketplace")) }
            data.append(JSON.Member("order", document))
            if let payment {
                data.append(JSON.Member("payment", .string(payment.id.text)))
                data.append(JSON.Member("merchant", .string(payment.merchant.text)))
                data.append(JSON.Member("external_identifier", .string(payment.externalIdentifier)))
            }
        case .merchant:
            guard let payment else { preconditionFailure("a merchant is told of its own payment") }
            data.append(JSON.Member("audience", "merchant"))
            data.append(JSON.Member("payment", presentation.payment(payment, order)))
        }
        if let dispute = announcement.dispute { data.append(JSON.Member("dispute", .string(dispute.text))) }
        return CallbackEnvelope.text(
            announcement.kind,
            announcement.sequence,
            at: announcement.at,
            isLive: order.clock.isLive,
            data
        )
    }
}

extension Announcement {
    /// Whose endpoint it is for; nil for the marketplace's.
    var merchant: MerchantID? {
        if case .merchant(let merchant) = audience { merchant } else { nil }
    }
}

/// Writes down what the marketplace and the merchant are to be told of a payout: the same.
struct PayoutCallbacks: Sendable {
    let presentation: Presentation
    /// The merchant's external identifier.
    let name: String
    /// The marketplace's clock, by which payouts are told.
    let clock: MarketplaceClock

    /// What is told of a payout as it stands.
    ///
    /// - Parameters:
    ///   - payout: the payout.
    ///   - covers: what it pays for.
    ///   - number: which number in its series it has.
    /// - Returns: a callback for the marketplace, and one for the merchant.
    func callbacks(for payout: Payout, paying covers: JSON, number: Int64) -> [NewCallback] {
        let (kind, time): (Announcement.Kind, Timestamp) =
            switch payout.state {
            case .paid: (.payoutPaid, payout.recordedAt)
            case .failed(let failure): (.payoutFailed, failure.at)
            }
        let document = presentation.payout(payout, name, covers)
        let payload = CallbackEnvelope.text(kind, number, at: time, isLive: clock.isLive, about: "payout", document)
        return [nil, payout.merchant].map { merchant in
            NewCallback(
                id: PayoutNews(payout.id, isFailure: kind == .payoutFailed, at: time).id(toMerchant: merchant != nil),
                marketplace: payout.marketplace,
                merchant: merchant,
                order: nil,
                payment: nil,
                type: kind.rawValue,
                sequence: number,
                payload: payload,
                at: clock.realTime(of: time)
            )
        }
    }
}

/// What every callback carries around its subject.
enum CallbackEnvelope {
    /// The body of a callback, as it is signed and sent.
    static func text(
        _ kind: Announcement.Kind,
        _ sequence: Int64,
        at time: Timestamp,
        isLive: Bool,
        _ data: [JSON.Member]
    ) -> String {
        let envelope: JSON = [
            "type": .string(kind.rawValue), "livemode": .bool(isLive), "timestamp": .string(time.description),
            "sequence": .integer(sequence), "data": .object(data),
        ]
        return String(decoding: envelope.bytes, as: UTF8.self)
    }

    /// The body of a callback about one thing of a marketplace's, which says with its document whether it is live.
    static func text(
        _ kind: Announcement.Kind,
        _ sequence: Int64,
        at time: Timestamp,
        isLive: Bool,
        about subject: String,
        _ document: JSON
    ) -> String {
        text(kind, sequence, at: time, isLive: isLive, [JSON.Member(subject, document.saying(livemode: isLive))])
    }
}

extension JSON {
    /// The document of something of a marketplace with `livemode`, behind its `id`; anything but an object as it is.
    package func saying(livemode isLive: Bool) -> JSON {
        guard case .object(var members) = self, self["livemode"] == nil else { return self }
        members.insert(Member("livemode", .bool(isLive)), at: members.first?.key == "id" ? 1 : 0)
        return .object(members)
    }
}
