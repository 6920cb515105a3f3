import StrictJSON

/// Braintree's scalar types.
enum BraintreeScalar {
    /// A value in its type's form; nil if it is none of the type.
    static func value(_ type: String, _ json: JSON) -> JSON? {
        switch (type, json) {
        case ("ID", .integer(let number)): .string(String(number))
        case ("Int", .integer(let number)): Int32(exactly: number) == nil ? .none : json
        case ("Boolean", .bool): json
        case (_, .string(let text)): isText(text, of: type) ? json : .none
        default: .none
        }
    }

    /// Whether the text is digits only, so many of them.
    static func isDigits(_ text: some StringProtocol, count: ClosedRange<Int>) -> Bool {
        count.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isText(_ text: String, of type: String) -> Bool {
        switch type {
        case "String", "ID", "CustomFieldName", "CreditCardNumber", "Timestamp": true
        case "Amount": isAmount(text.hasPrefix("-") ? text.dropFirst() : text[...])
        case "Date": text.utf8.count == 10
        case "Month": isDigits(text, count: 2...2) && ("01"..."12").contains(text)
        case "Year", "CreditCardLast4": isDigits(text, count: 4...4)
        case "ECommerceIndicator": isDigits(text, count: 2...2)
        default: false
        }
    }

    /// A whole number, or one with exactly two or three decimals.
    private static func isAmount(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, isDigits(parts[0], count: 1...15) else { return false }
        return parts.count == 1 || isDigits(parts[1], count: 2...3)
    }
}
