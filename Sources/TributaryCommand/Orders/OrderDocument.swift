import Domain
import HTTPAPI
import StrictJSON

/// An order as the API shows it, and everything that was asked of PSPs for it.
///
/// It is the same whether a server answered it or it was read from the database.
struct OrderDocument: Sendable {
    /// A payment, as commands name it.
    struct Payment {
        let id: PaymentID
        let externalIdentifier: String
    }

    /// The order.
    let order: JSON
    /// The operations, in the order of asking within each payment.
    let operations: [JSON]

    /// What two documents of a server say.
    init(order: JSON, operations: [JSON]) {
        self.order = order
        self.operations = operations
    }

    /// What is stored.
    init(_ order: Order) {
        self.init(order: OrderPresenter.json(order), operations: OperationPresenter.json(operationsOf: order))
    }

    /// The order's currency.
    ///
    /// - Throws: ``CommandFailure`` for one that this command does not know.
    func currency() throws(CommandFailure) -> Currency {
        guard let currency = Currency(code: order.text("currency")) else {
            throw .unusable("the order is in a currency that this command does not know")
        }
        return currency
    }

    /// Its payments.
    var payments: [Payment] {
        order.list("payments").compactMap { payment in
            PaymentID(payment.text("id")).map {
                Payment(id: $0, externalIdentifier: payment.text("external_identifier"))
            }
        }
    }

    /// The operations whose outcome is not known for good.
    var openOperations: [OperationID] {
        operations.filter { ["open", "unknown", "pending", "action_required"].contains($0.text("state")) }
            .compactMap { OperationID($0.text("id")) }
    }

    /// Whether something was heard of everything that was asked.
    var hasFirstReplies: Bool { operations.allSatisfy { $0["awaited"]?.boolValue != true } }
}
