import Domain
import Storage

/// Why a notice must not be told to the order that it names.
///
/// A submerchant may write our identifiers on objects of its own; and an amount means nothing in another currency.
enum WebhookObjection: Hashable {
    /// It happened at another submerchant's account than the payment's.
    case merchantAccount(said: NoticeAccount, expected: String?)
    /// It is about another payment at the PSP, though it has our name on it.
    case payment(said: String, expected: String)
    /// Its amounts are in another currency than the order's.
    case currency(said: Currency?, expected: Currency)

    /// What there is to say against a notice, if anything.
    init?(to notice: Notice, of document: WebhookDocument, about attempt: Attempt, in order: Order) {
        if document.merchantAccount.isOther(than: attempt.route.merchantAccount) {
            self = .merchantAccount(said: document.merchantAccount, expected: attempt.route.merchantAccount)
        } else if let said = notice.subject.payment, let expected = attempt.pspReference, said != expected {
            self = .payment(said: said, expected: expected)
        } else if document.currency != order.amount.currency, document.currency != nil || notice.hasAmount {
            self = .currency(said: document.currency, expected: order.amount.currency)
        } else {
            return nil
        }
    }

    /// A sentence for the operator.
    var text: String {
        switch self {
        case .merchantAccount(let said, let expected):
            "It happened at \(Self.name(said.name)), but the payment was routed to \(Self.name(expected))."
        case .payment(let said, let expected): "It is about the payment \(said), but ours is \(expected)."
        case .currency(let said, let expected):
            "Its amounts are in \(said?.code ?? "no currency"), but the order is in \(expected)."
        }
    }

    private static func name(_ account: String?) -> String {
        account.map { "the merchant account \($0)" } ?? "no merchant's account"
    }
}

extension Notice {
    fileprivate var hasAmount: Bool {
        switch happening {
        case .outcome(_, .succeeded), .dispute: true
        case .outcome, .reversed, .lapsed: false
        }
    }
}
