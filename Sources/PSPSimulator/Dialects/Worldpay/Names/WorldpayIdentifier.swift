/// Worldpay's names: a prefix of three letters, 21 characters and a `0`.
///
/// The characters are the books' number in base 36, filled up with hyphens: eight for the books, ten for the payment,
/// three for what belongs to it.
enum WorldpayIdentifier {
    /// What a name is of.
    enum Prefix: String {
        case payment = "pay"
        case command = "cmd"
        case split = "spl"
        case item = "itm"
    }

    /// The name of something in the books, or of the payment's line item with that number from 1.
    static func text(_ prefix: Prefix, _ identifier: String, item: Int? = nil) -> String {
        guard let number = PSPNumber(identifier) else { return identifier }
        let parts = [
            (number.instance, 8), (String(number.authorization, radix: 36), 10),
            (String(item ?? number.operation ?? 0, radix: 36), 3),
        ]
        let middle = parts.map { digits, width in
            String(repeating: "-", count: max(0, width - digits.count)) + digits
        }
        return prefix.rawValue + middle.joined() + "0"
    }

    /// What has that name; nil if nothing is called so.
    static func number(_ prefix: Prefix, _ text: String) -> PSPNumber? {
        guard text.utf8.count == 25, text.hasPrefix(prefix.rawValue) else { return nil }
        let middle = text.dropFirst(3)
        let parts = [middle.prefix(8), middle.dropFirst(8).prefix(10), middle.dropFirst(18).prefix(3)]
        let digits = parts.map { $0.drop { $0 == "-" } }
        guard let authorization = Int(digits[1], radix: 36), let operation = Int(digits[2], radix: 36) else {
            return nil
        }
        let number = PSPNumber(
            instance: String(digits[0]),
            authorization: authorization,
            operation: operation == 0 ? nil : operation
        )
        let name = Self.text(prefix, number.authorizationIdentifier, item: operation)
        return name == text ? number : nil
    }
}
