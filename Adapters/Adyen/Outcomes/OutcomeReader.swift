import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Adyen's reply.
struct OutcomeReader {
    let call: Call
    let unit: AdyenUnit
    /// The call's amount in Adyen's unit.
    let asked: Int64

    /// The call's amount as requests write it.
    var amount: JSON { ["value": .integer(asked), "currency": .string(unit.code)] }

    /// How the call's amount is booked, with a fee in ISO 4217's minor units; nil if that cannot be expressed.
    func shares(fee: Int64?) -> Shares? {
        unit.amount(fee ?? 0).flatMap { Shares(total: asked, fee: $0, call: call) }
    }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// What a refused request means for the call.
    ///
    /// What is wrong with the buyer's card is wrong with it everywhere: a decline, after which no other route is tried.
    func refusal(_ error: ServiceError) -> Outcome {
        if case .authorize = call.kind, let category = RefusalReasons.category(ofError: error.code) {
            return .declined(Decline(code: error.code, category: category, message: error.sentence))
        }
        return .rejected(Rejection(reason(for: error.code), code: error.code, message: error.sentence))
    }

    /// Source: Adyen's "Error codes".
    private func reason(for code: String) -> Rejection.Reason {
        switch (code, call.kind) {
        // Ours are well formed, so that only more than there is can be wrong with them.
        case ("137", .capture), ("137", .refund): .amountTooLarge
        case ("137", _), ("138", _): .unsupported
        case ("167", .capture), ("167", .void), ("167", .refund): .notFound
        default: .configuration
        }
    }

    /// Whether an amount in the reply, if there is one, is in the call's currency; and what it says.
    enum Stated: Equatable {
        case nothing
        case value(Int64)
        case somethingElse
    }

    func stated(_ amount: JSON?) -> Stated {
        guard let amount, !amount.isNull else { return .nothing }
        guard amount["currency"]?.stringValue == unit.code, let value = amount["value"]?.integerValue else {
            return .somethingElse
        }
        return .value(value)
    }
}
