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
