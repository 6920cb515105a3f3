import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Authorize.Net's replies.
struct OutcomeReader {
    let call: Call
    /// The account's currency, in which all amounts are.
    let currency: Currency

    /// A refusal, by its code.
    struct Refusal {
        /// A reason code, or the code of a call that was not carried out.
        var code: String
        /// A sentence for the operator, without anything that was sent.
        var sentence: String

        /// A refused transaction.
        init(_ response: TransactionResponse) {
            code = response.error ?? response.message ?? "none"
            let transaction = response.id.map { ", transaction \($0)" } ?? ""
            sentence = "Authorize.Net answered response code \(response.responseCode), reason \(code)\(transaction)."
        }

        /// A call that was not carried out.
        init(code: String) {
            self.code = code
            sentence = "Authorize.Net answered \(code)."
        }
    }

    /// What the call is for, in minor units.
    var asked: Int64 { call.money.minorUnits }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// A rejection for a refusal's reason.
    func rejected(_ reason: Rejection.Reason, _ refusal: Refusal) -> Outcome {
        .rejected(Rejection(reason, code: refusal.code, message: refusal.sentence))
    }

    /// Authorize.Net has no trace of what was asked after.
    func notFound(_ thing: String) -> Outcome {
        .rejected(Rejection(.notFound, code: CallErrors.notFound, message: "Authorize.Net has no such \(thing)."))
    }

    /// The transaction in a reply, if it is the one named and carries our name.
    func details(_ reply: AuthorizeNetReply, of payment: String) -> TransactionDetails? {
        guard case .ok(let json) = reply, let details = TransactionDetails(json, in: currency), details.id == payment,
            details.invoiceNumber == ShortName(call.attempt).text
        else { return nil }
        return details
    }
}
