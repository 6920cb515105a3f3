import Domain
import HTTPTypes

/// Payments that an agreement does not allow, in the words of the API.
extension Problem {
    /// The problem that answers a refused payment under an agreement.
    init(_ refusal: AgreementRefusal) {
        let status: HTTPResponse.Status =
            switch refusal {
            case .unknown, .otherMerchant, .otherCurrency, .notTheFixedAmount, .aboveMaximum, .otherReason:
                .unprocessableContent
            case .begun, .notActive, .suspended, .over, .charged, .nothingToResubmit, .tryForbidden, .tryTooEarly,
                .tooManyTries:
                .conflict
            }
        self.init(status: status, code: refusal.code, detail: refusal.sentence)
        if case .aboveMaximum(let amount) = refusal { availableAmount = amount }
        if case .notTheFixedAmount(let amount) = refusal { availableAmount = amount }
    }
}

extension AgreementRefusal {
    fileprivate var sentence: String {
        switch self {
        case .unknown: "There is no such agreement."
        case .otherMerchant: "The agreement is with another merchant."
        case .otherCurrency(let currency): "The agreement is in \(currency)."
        case .begun: "The first payment of the agreement is made, or under way."
        case .notActive:
            "Nothing can be charged yet: the buyer has not paid under the agreement, or the PSP is asked what it kept."
        case .suspended(let reason): "The agreement is suspended: \(reason.rawValue)."
        case .over: "The agreement is over."
        case .notTheFixedAmount(let amount): "Charges under the agreement are of \(amount) minor units exactly."
        case .aboveMaximum(let amount): "Charges under the agreement are of \(amount) minor units at most."
        case .otherReason(let type): "An agreement of the type \(type.rawValue) has no charges for this reason."
        case .charged: "The agreement is charged once, and was charged, or is being charged."
        case .nothingToResubmit: "No charge was declined that could be tried once more."
        case .tryForbidden: "The card network or the issuer forbids another try with this card."
        case .tryTooEarly(let time): "A charge was declined; the next may be tried at \(time)."
        case .tooManyTries(let time):
            "\(ChargeTries.limit) charges were declined within 30 days; the next may be tried at \(time)."
        }
    }
}
