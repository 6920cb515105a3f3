import AdapterKit
package import Domain

/// A payment that a PSP made under our name and that the books do not know, as its events tell it.
package struct RecoveredPayment: Hashable, Sendable {
    /// The PSP's name for it; nil if no event says it.
    package private(set) var reference: String?
    /// Our name for it there: the attempt's identifier; nil if no event says it.
    package private(set) var attempt: String?
    /// At whose account it was made.
    package let merchantAccount: NoticeAccount
    /// The currency of its amounts; nil if no event has one.
    package private(set) var currency: Currency?
    /// What is held on the card and not taken, in minor units.
    package var held: Int64 { isReleased || (taken > 0 && !keepsRest) ? 0 : max(0, approved - taken) }
    /// What was taken, in minor units, whatever was given back since.
    package var taken: Int64 { max(takenAtOnce, captures.values.reduce(0, +)) }
    /// What was given back, in minor units.
    package var returned: Int64 { refunds.values.reduce(0, +) }
    /// When the first of its events happened, by the PSP's clock.
    package private(set) var since: Timestamp?
    /// What was said of it, in the order in which it happened.
    package private(set) var notices: [Notice] = []

    private let keepsRest: Bool
    private var approved: Int64 = 0
    private var takenAtOnce: Int64 = 0
    private var captures: [String: Int64] = [:]
    private var refunds: [String: Int64] = [:]
    private var isReleased = false
    private var isUnderWay = false

    /// Reads a payment out of its events.
    ///
    /// - Parameters:
    ///   - events: all that were listed of it, in the order in which they happened.
    ///   - keepsRest: whether a capture may leave the rest of the hold.
    init(_ events: [WebhookEvent], keepsRest: Bool) {
        self.keepsRest = keepsRest
        merchantAccount = events.first?.merchantAccount ?? .unsaid
        for event in events {
            currency = currency ?? event.currency
            for notice in event.notices { hear(notice) }
        }
    }

    /// Whether money was held or taken, or may still be: all else came to nothing, and nobody has to look.
    package var needsLook: Bool { held > 0 || taken > 0 || (isUnderWay && approved == 0 && !isReleased) }

    /// Its name among the events that are kept: the same whenever it is listed again.
    var event: String { "recovered:" + String((reference ?? attempt ?? "unnamed").prefix(200)) }

    private mutating func hear(_ notice: Notice) {
        notices.append(notice)
        reference = reference ?? notice.subject.payment
        attempt = attempt ?? notice.subject.attempt
        since = [since, notice.at].compactMap(\.self).min()
        let name = notice.subject.object ?? notice.subject.operation ?? ""
        switch notice.happening {
        case .outcome(let action, let outcome): hear(action, outcome, named: name)
        case .reversed(.capture, _): captures[name] = nil
        case .reversed(.refund, _): refunds[name] = nil
        case .lapsed: isReleased = true
        case .reversed, .dispute: break
        }
    }

    private mutating func hear(_ action: Notice.Action, _ outcome: Outcome, named name: String) {
        switch (action, outcome) {
        case (.authorize, .succeeded(let success)):
            approved = max(approved, success.amount)
            takenAtOnce = max(takenAtOnce, success.capturedAmount ?? 0)
        case (.authorize, .pending), (.authorize, .actionRequired): isUnderWay = true
        case (.authorize, .declined), (.authorize, .rejected): isUnderWay = false
        case (.capture, .succeeded(let success)): captures[name] = max(captures[name] ?? 0, success.amount)
        case (.refund, .succeeded(let success)): refunds[name] = max(refunds[name] ?? 0, success.amount)
        case (.void, .succeeded): isReleased = true
        default: break
        }
    }
}

extension RecoveredPayment {
    /// What is there, and its names: `300.00 USD captured; the PSP calls it pi_1, our attempt was …`.
    package var summary: String {
        let what = [("held", held), ("captured", taken), ("refunded", returned)].filter { $0.1 > 0 }
            .map { "\(amount($0.1)) \($0.0)" }
        let names = [reference.map { "the PSP calls it \($0)" }, attempt.map { "our attempt was \($0)" }]
            .compactMap(\.self)
        return (what.isEmpty ? "under way" : what.joined(separator: ", ")) + "; " + names.joined(separator: ", ")
    }

    /// A sentence for the operator: what is there, and what can be done.
    func problem(isOrderKnown: Bool) -> String {
        let order = isOrderKnown ? "an attempt of this order" : "an order"
        return
            "The PSP has a payment of \(order) that the books lost: \(summary). Void or refund it at the PSP, or settle"
            + " it with the buyer and the merchant outside these books; then dismiss this."
    }

    private func amount(_ minorUnits: Int64) -> String {
        guard let currency, let money = try? Money(minorUnits: minorUnits, currency: currency) else {
            return "\(minorUnits) minor units"
        }
        return "\(money.decimal) \(currency.code)"
    }
}
