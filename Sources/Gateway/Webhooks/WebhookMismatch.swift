import AdapterKit
import Domain
import Storage

/// Why a notice must not be applied to the order that it names.
///
/// A submerchant may write our identifiers on objects of its own; and an amount means nothing in another currency.
enum WebhookMismatch: Hashable {
    /// It happened at another submerchant's account than the payment's.
    case merchantAccount(said: NoticeAccount, expected: String?)
    /// It is about another payment at the PSP, though it has our name on it; whether it may be one that our request made, too,
    /// having been sent more than once, and of which nobody told yet.
    case payment(said: String, expected: String, mayBeSurplus: Bool)
    /// Its amounts are in another currency than the order's.
    case currency(said: Currency?, expected: Currency)

    /// What is wrong with the first of an event's notices that must not be applied; nil if all may be.
    static func first(
        in document: WebhookDocument,
        about attempts: [Attempt?],
        of order: Order
    ) -> WebhookMismatch? {
        for case (var notice, let attempt?) in zip(document.notices, attempts) {
            let isSecond =
                OrderMachine.isSecondAuthorization(notice, of: attempt)
                || OrderMachine.isSecondRefusal(notice, of: attempt)
            if isSecond { notice.subject.payment = nil }
            if let mismatch = WebhookMismatch(notice, of: document, about: attempt, in: order) { return mismatch }
        }
        return nil
    }

    /// What is wrong with a notice, if anything.
    private init?(_ notice: Notice, of document: WebhookDocument, about attempt: Attempt, in order: Order) {
        if document.merchantAccount.isOther(than: attempt.route.merchantAccount) {
            self = .merchantAccount(said: document.merchantAccount, expected: attempt.route.merchantAccount)
        } else if let said = notice.subject.payment, let expected = attempt.pspReference, said != expected,
            !notice.isVoid(ofRefund: said, in: attempt)
        {
            self = .payment(said: said, expected: expected, mayBeSurplus: attempt.authorization.mayHaveSurplus)
        } else if document.currency != order.amount.currency, document.currency != nil || notice.hasAmount {
            self = .currency(said: document.currency, expected: order.amount.currency)
        } else {
            return nil
        }
    }

    /// Whether what becomes known later may explain it.
    var mayPass: Bool { if case .payment(_, _, mayBeSurplus: true) = self { true } else { false } }

    /// A sentence for the operator.
    var text: String {
        switch self {
        case .merchantAccount(let said, let expected):
            "It happened at \(Self.name(said.name)), but the payment was routed to \(Self.name(expected))."
        case .payment(let said, let expected, _): "It is about the payment \(said), but ours is \(expected)."
        case .currency(let said, let expected):
            "Its amounts are in \(said?.code ?? "no currency"), but the order is in \(expected)."
        }
    }

    private static func name(_ account: String?) -> String {
        account.map { "the merchant account \($0)" } ?? "no merchant's account"
    }
}

extension Notice {
    /// Whether it says that nothing is held of a payment any more.
    var isEnd: Bool {
        switch happening {
        case .outcome(.void, .succeeded), .lapsed: true
        case .outcome(.authorize, .declined), .outcome(.authorize, .rejected): true
        case .outcome, .reversed, .dispute: false
        }
    }

    /// Whether it says that a refund was voided before it settled, where a PSP names that refund in place of the payment.
    fileprivate func isVoid(ofRefund name: String, in attempt: Attempt) -> Bool {
        guard case .outcome(.void, .succeeded) = happening else { return false }
        return attempt.operations.contains { $0.kind == .refund && $0.reference == name }
    }

    fileprivate var hasAmount: Bool {
        switch happening {
        case .outcome(_, .succeeded), .dispute: true
        case .outcome, .reversed, .lapsed: false
        }
    }
}

extension Order {
    /// The attempts that notices were found to be about, of the attempts that were found by their names; a second
    /// authorization made under the name of another has the PSP's payment to be known by.
    func attempts(of notices: [Notice], _ found: [AttemptID?]) -> [Attempt?] {
        zip(notices, found).map { notice, id in id.flatMap { attempt($0, orPayment: notice.subject.payment) } }
    }

    private func attempt(_ id: AttemptID, orPayment reference: String?) -> Attempt? {
        guard let payment = payments.first(where: { $0.attempts.contains { $0.id == id } }) else { return nil }
        if PlantedBug.noticeOfFirstPayment.isPlanted { return payments.first?.attempts.first }
        let surplus = payment.attempts.first { $0.isSurplus && reference != nil && $0.pspReference == reference }
        return surplus ?? payment.attempts.first { $0.id == id }
    }
}

extension NoticeBatch {
    /// A batch with what a PSP's capabilities, where they are known, say of notices about an order.
    init(
        _ items: [Item],
        _ capabilities: Capabilities?,
        for order: Order,
        settledFees: Set<String>,
        receivedAt: Timestamp
    ) {
        self.init(
            items,
            timings: capabilities?.timings ?? ReportTimings(),
            severalCaptures: capabilities?.multipleCapture ?? false,
            isSale: capabilities.map(order.isSale(with:)) ?? false,
            settledFees: settledFees,
            tellsOutcomes: capabilities?.tellsOutcomes ?? false,
            keepsCommission: capabilities?.keepsCommissionOfRefunds ?? false,
            receivedAt: receivedAt
        )
    }
}

extension Capabilities {
    /// Whether what became of a sending can be had of the PSP: by asking, or by sending again under a key that answers the same.
    fileprivate var tellsOutcomes: Bool {
        if case .key(_, let keeps) = idempotency, keeps != .successes { true } else { inquiry != .none }
    }
}
