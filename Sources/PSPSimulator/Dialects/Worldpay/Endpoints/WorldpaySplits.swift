import StrictJSON
import Synchronization

/// The Split Payments API: a payment is divided after it has been authorized, and each settlement and refund is
/// confirmed.
///
/// Splits are kept until the simulator stops.
final class WorldpaySplits: Sendable {
    private let splits = Mutex<[String: WorldpaySplit]>([:])

    /// `POST /splitPayments`.
    func create(_ wire: PSPRequest) throws(Refusal) -> Ask {
        let request = try WorldpayRequest(wire, .splitPayments)
        let body = try request.body(.split)
        let items = try Self.items(body)
        let command = body["fulfillment"]?["paymentCommandId"]?.stringValue ?? ""
        return .inquire(account: request.account) { view throws(Refusal) in
            let payment = try Self.payment(command, &view)
            guard body["value"]?["totalAmount"]?.integerValue == payment.authorized,
                body["value"]?["currency"]?.stringValue == payment.command.currency,
                body["merchant"]?["entity"]?.stringValue == payment.command.metadata["entity"]
            else { throw Self.refusal("The value or the merchant is not the payment's.") }
            let name = WorldpayIdentifier.text(.split, payment.id)
            try self.keep(WorldpaySplit(authorization: payment.id, items: items), name)
            let lines = items.enumerated().map { index, item -> JSON in
                let id = WorldpayIdentifier.text(.item, payment.id, item: index + 1)
                return ["itemId": .string(id), "itemReference": .string(item.reference)]
            }
            return PSPReply(201, ["splitPaymentId": .string(name), "lineItems": .array(lines)])
        }
    }

    /// `POST /splitPayments/{splitPaymentId}/fulfillments`, and `…/items/{itemId}/fulfillments`.
    func fulfill(_ wire: PSPRequest) throws(Refusal) -> Ask {
        let request = try WorldpayRequest(wire, .splitPayments)
        let body = try request.body(.fulfillment)
        let type = body["transactionType"]?.stringValue ?? ""
        let command = body["paymentCommandId"]?.stringValue ?? ""
        let name = wire.parameter("split")
        let item = wire.parameters["item"]
        return .inquire(account: request.account) { view throws(Refusal) in
            guard let split = self.splits.withLock({ $0[name] }),
                let payment = view.authorization(split.authorization)
            else { throw .notFound }
            let numbers = try Self.numbers(item, split)
            guard let amount = Self.amount(of: command, type, payment) else {
                throw Self.refusal("The payment command is no such transaction of the payment.")
            }
            let isNew = self.splits.withLock { $0[name]?.fulfill(numbers, type, by: command, of: amount) == true }
            guard isNew else {
                throw Self.refusal("The items are fulfilled already, or are more than the transaction.")
            }
            return PSPReply(201, ["fulfillment": "accepted"])
        }
    }

    private func keep(_ split: WorldpaySplit, _ name: String) throws(Refusal) {
        let isNew = splits.withLock { splits in
            guard splits[name] == nil else { return false }
            splits[name] = split
            return true
        }
        guard isNew else { throw Self.refusal("The payment is split already.") }
    }

    private static func items(_ body: JSON) throws(Refusal) -> [WorldpaySplit.Item] {
        let lines = body["lineItems"]?.arrayValue ?? []
        let items = lines.map { line in
            WorldpaySplit.Item(
                reference: line["itemReference"]?.stringValue ?? "",
                amount: line["amount"]?.integerValue ?? 0
            )
        }
        guard items.count <= 1000, Set(items.map(\.reference)).count == items.count else {
            throw WorldpayField.violation("fieldHasInvalidValue", "$.lineItems")
        }
        for (index, line) in lines.enumerated() {
            var rest = items[index].amount
            for deduction in line["deductions"]?.arrayValue ?? [] {
                let amount = deduction["value"]?["amount"]?.integerValue ?? 0
                let isPart = deduction["value"]?["type"]?.stringValue == "percentage"
                rest -= isPart ? items[index].amount * min(amount, 1_000_000) / 10_000 : amount
            }
            guard rest >= 0 else {
                throw WorldpayField.violation("fieldHasInvalidValue", "$.lineItems[\(index)].deductions")
            }
        }
        guard items.reduce(0, { $0 + $1.amount }) == body["value"]?["totalAmount"]?.integerValue else {
            throw WorldpayField.violation("fieldHasInvalidValue", "$.value.totalAmount")
        }
        return items
    }

    private static func payment(_ command: String, _ view: inout BooksView) throws(Refusal) -> Authorization {
        guard let number = WorldpayIdentifier.number(.command, command), number.operation == nil,
            let payment = view.authorization(number.authorizationIdentifier), payment.authorized > 0
        else { throw refusal("There is no approved payment with that payment command.") }
        return payment
    }

    private static func numbers(_ item: String?, _ split: WorldpaySplit) throws(Refusal) -> Set<Int> {
        guard let item else { return Set(1...split.items.count) }
        guard let number = WorldpayIdentifier.number(.item, item)?.operation, number <= split.items.count,
            item == WorldpayIdentifier.text(.item, split.authorization, item: number)
        else { throw .notFound }
        return [number]
    }

    /// How much of the payment the command took or gave back; nil if it did not.
    private static func amount(of command: String, _ type: String, _ payment: Authorization) -> Int64? {
        if type == "settle", payment.capturesAtOnce, command == WorldpayIdentifier.text(.command, payment.id) {
            return payment.captured
        }
        let kind = type == "settle" ? OperationKind.capture : .refund
        return payment.operations.dropFirst().first { operation in
            operation.kind == kind && operation.status != .failed
                && WorldpayIdentifier.text(.command, operation.id) == command
        }?.amount
    }

    private static func refusal(_ message: String) -> Refusal { Refusal(422, "fieldHasInvalidValue", message) }
}
