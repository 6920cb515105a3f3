import StrictJSON
import Synchronization

/// The Split Payments API: a payment is divided after it has been authorized, and each settlement and refund is
/// confirmed.
///
/// Splits are kept until the simulator stops.
final class WorldpaySplits: Sendable {
    private let splits = Mutex<[String: WorldpaySplit]>([:])

    /// `POST /splitPayments`.
    func create(_ wire: PSPRequest) throws(Refusal) -> Reply {
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
    func fulfill(_ wire: PSPRequest) throws(Refusal) -> Reply {
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

/// A payment that has been divided, and what of it is fulfilled.
private struct WorldpaySplit: Hashable, Sendable {
    /// A line item: the caller's name for it, and its amount.
    struct Item: Hashable, Sendable {
        let reference: String
        let amount: Int64
    }

    /// The books' identifier of the payment.
    let authorization: String
    /// The line items, in their order.
    let items: [Item]
    private var fulfilled: [String: Set<Int>] = [:]
    private var spent: [String: Int64] = [:]

    /// Divides a payment.
    init(authorization: String, items: [Item]) {
        self.authorization = authorization
        self.items = items
    }

    /// Notes that a settlement or a refund was for some of the items.
    ///
    /// - Parameters:
    ///   - numbers: the items' places, from 1.
    ///   - type: `settle`, or `refund`, which an item can be once it is settled.
    ///   - command: the settlement or refund.
    ///   - amount: how much it is, in minor units; it may be for several items, one after another.
    /// - Returns: false, and nothing is noted, if an item was fulfilled before or the amount is not enough.
    mutating func fulfill(_ numbers: Set<Int>, _ type: String, by command: String, of amount: Int64) -> Bool {
        let sum = numbers.reduce(spent[command] ?? 0) { $0 + items[$1 - 1].amount }
        guard sum <= amount, fulfilled[type, default: []].isDisjoint(with: numbers),
            type == "settle" || fulfilled["settle", default: []].isSuperset(of: numbers)
        else { return false }
        fulfilled[type, default: []].formUnion(numbers)
        spent[command] = sum
        return true
    }
}

/// The bodies of the Split Payments API (version 2025-06-25), from Worldpay's OpenAPI description.
extension WorldpayField {
    private static let name = Self.text(1...64, of: plain("-_!@#$%()*=.:;?[]{}~`/+"))
    private static let note = Self.text(0...50, of: plain(" ,./-"))
    private static let amount = Self.integer(0...CommandReader.greatestAmount)
    private static let command = Self.text(25...25, of: plain("_-"))

    /// `POST /splitPayments`.
    static let split = Self.object(
        [
            "reference": .text(1...64), "description": note,
            "fulfillment": .object(
                ["auto": .flag, "paymentCommandId": command],
                required: ["auto", "paymentCommandId"]
            ),
            "merchant": .object(["entity": name], required: ["entity"]),
            "value": .object(
                ["currency": .text(3...3, of: letters), "totalAmount": amount],
                required: ["currency", "totalAmount"]
            ),
            "lineItems": .array(lineItem),
        ],
        required: ["reference", "fulfillment", "merchant", "value", "lineItems"]
    )

    /// `POST /splitPayments/…/fulfillments`.
    static let fulfillment = Self.object(
        [
            "reference": name, "description": .text(0...50), "paymentCommandId": command,
            "transactionType": .word(["settle", "refund"]),
        ],
        required: ["paymentCommandId", "transactionType"]
    )

    private static let lineItem = Self.object(
        [
            "itemReference": name, "partyReference": .text(1...64), "amount": amount, "description": note,
            "deductions": .array(deduction),
        ],
        required: ["itemReference", "partyReference", "amount"]
    )

    private static let deduction = Self.object(
        [
            "type": .word(["commission", "fee"]), "description": .text(0...50),
            "value": .object(
                ["type": .word(["percentage", "flat"]), "amount": amount],
                required: ["type", "amount"]
            ),
        ],
        required: ["type", "value"]
    )
}
