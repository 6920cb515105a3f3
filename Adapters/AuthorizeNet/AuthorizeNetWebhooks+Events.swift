import Domain
import StrictJSON

/// Reads what a notification says of a payment.
///
/// Source: payloads that integrations recorded, read in November 2026; they follow the vendor's page "Webhooks".
/// `fraud.approved` is left out: it does not say whether the amount is held or taken, and an inquiry does. So is
/// `capture.created`, which is of authorizations made by telephone.
struct AuthorizeNetEventReader {
    let event: AuthorizeNetEvent
    let currency: Currency

    /// What a notification says.
    enum News {
        /// Nothing of a payment of ours.
        case nothing
        /// Nothing of a payment of ours, though it looks as if it were: a test.
        case remarkable(String)
        /// One thing.
        case notice(Notice)
        /// Something of a payment that cannot be read.
        case unreadable(String)
    }

    /// What the notification says.
    var news: News {
        let family = "net.authorize.payment."
        guard event.type.hasPrefix(family) else { return .nothing }
        return switch event.type.dropFirst(family.count) {
        case "authorization.created": transaction { authorization($0, isCaptured: false) }
        case "authcapture.created": transaction { authorization($0, isCaptured: true) }
        case "priorAuthCapture.created": transaction(capture)
        case "void.created": transaction(void)
        case "refund.created": transaction(refund)
        case "fraud.held": transaction { .notice(notice(.outcome(.authorize, pending($0)), $0)) }
        case "fraud.declined": transaction(failedReview)
        default: .nothing
        }
    }

    /// The transaction in the payload.
    struct Transaction {
        var id: String
        /// 1 approved, 2 declined, 3 error, 4 held for review.
        var responseCode: Int64
        /// In minor units, above 0; nil if there is none.
        var amount: Int64?
        /// Whether it says that its amount is 0: a card is looked at, and no money moves.
        var isOfNothing: Bool
        var attempt: AttemptID?
        var operation: OperationID?
    }

    /// The test of an endpoint, by its button or a call ("ping"), names no transaction or transaction 0, and so does a
    /// transaction of an account in test mode.
    private func transaction(_ read: (Transaction) -> News) -> News {
        guard let payload = event.payload, payload.objectValue?.isEmpty == false else {
            return .remarkable("it names no transaction: the test of an endpoint")
        }
        guard payload["id"] != "0", payload["id"] != 0 else {
            return .remarkable("it names transaction 0: the test of an endpoint, or of an account in test mode")
        }
        guard payload["entityName"]?.stringValue == "transaction",
            let id = CardDigits.transaction(payload["id"]), let code = payload["responseCode"]?.integerValue
        else { return unreadable("no transaction") }
        let amount = AccountCurrency.minorUnits(payload["authAmount"], in: currency)
        return read(
            Transaction(
                id: id,
                responseCode: code,
                amount: amount.flatMap { $0 > 0 ? $0 : nil },
                isOfNothing: amount == 0,
                attempt: payload["invoiceNumber"]?.stringValue.flatMap(ShortName.attempt),
                operation: payload["merchantReferenceId"]?.stringValue.flatMap(ShortName.operation)
            )
        )
    }

    private func authorization(_ transaction: Transaction, isCaptured: Bool) -> News {
        reading(of: .authorize, transaction) { amount in
            Success(reference: transaction.id, amount: amount, capturedAmount: isCaptured ? amount : 0)
        }
    }

    private func capture(_ transaction: Transaction) -> News {
        reading(of: .capture, transaction) { amount in
            Success(reference: transaction.id, amount: amount, capturedAmount: amount)
        }
    }

    private func void(_ transaction: Transaction) -> News {
        guard transaction.responseCode == 1 else { return .nothing }
        return reading(of: .void, transaction) { amount in Success(reference: transaction.id, amount: amount) }
    }

    private func refund(_ transaction: Transaction) -> News {
        reading(of: .refund, transaction) { amount in Success(reference: transaction.id, amount: amount) }
    }

    /// A transaction that a person refused after a review; what was authorized is voided.
    private func failedReview(_ transaction: Transaction) -> News {
        let decline = Decline(
            code: "fraud.declined",
            category: .suspectedFraud,
            message: "The transaction was refused after a review."
        )
        return .notice(notice(.outcome(.authorize, .declined(decline)), transaction))
    }

    /// An error says nothing: whether anything happened, the reply or an inquiry tells.
    private func reading(
        of action: Notice.Action,
        _ transaction: Transaction,
        _ success: (Int64) -> Success
    ) -> News {
        switch transaction.responseCode {
        case 1 where transaction.isOfNothing && action != .void:
            return .remarkable("it is a transaction over 0, which moves no money")
        case 1:
            guard let amount = transaction.amount else { return unreadable("no amount") }
            return .notice(notice(.outcome(action, .succeeded(success(amount))), transaction))
        case 2:
            let decline = Decline(code: "2", category: .generic, message: "The transaction was declined.")
            return .notice(notice(.outcome(action, .declined(decline)), transaction))
        case 3: return .nothing
        case 4: return .notice(notice(.outcome(action, pending(transaction)), transaction))
        default: return unreadable("an undocumented response code")
        }
    }

    private func pending(_ transaction: Transaction) -> Outcome { .pending(Progress(reference: transaction.id)) }

    /// A refund has an identifier of its own and does not name its payment.
    ///
    /// Ours has the operation's name where one that is made in the merchant interface has its payment's.
    private func notice(_ happening: Notice.Happening, _ transaction: Transaction) -> Notice {
        let isRefund = if case .outcome(.refund, _) = happening { true } else { false }
        let subject = Notice.Subject(
            attempt: transaction.attempt?.text,
            operation: transaction.operation?.text,
            payment: isRefund ? nil : transaction.id,
            object: isRefund ? transaction.id : nil,
            isOthers: isRefund && transaction.operation == nil && transaction.attempt != nil
        )
        return Notice(about: subject, happening, at: event.at)
    }

    private func unreadable(_ problem: String) -> News { .unreadable("\(event.type): \(problem)") }
}
