/// Adyen's `pspReference`: 16 characters, of a payment and of each of its modifications.
///
/// It is the books' number in base 36: seven digits for the books, seven for the payment, two for the modification.
enum AdyenReference {
    /// What Adyen calls something with one of the books' identifiers.
    static func text(_ identifier: String) -> String {
        guard let number = PSPNumber(identifier) else { return identifier }
        let parts = [
            (number.instance, 7), (String(number.authorization, radix: 36), 7),
            (String(number.operation ?? 0, radix: 36), 2),
        ]
        return parts.map { digits, width in
            String(repeating: "0", count: max(0, width - digits.count)) + digits.uppercased()
        }.joined()
    }

    /// What Adyen calls a dispute: a `D` and its number in place of a modification's.
    static func text(dispute identifier: String) -> String {
        guard let number = PSPNumber(identifier), let dispute = number.operation else { return identifier }
        return text(number.authorizationIdentifier).dropLast(2) + "D" + String(dispute % 36, radix: 36).uppercased()
    }

    /// The books' identifier of a payment that Adyen calls so; nil if nothing is called so.
    static func payment(_ text: String) -> String? {
        guard text.utf8.count == 16, text.hasSuffix("00"), text == text.uppercased() else { return nil }
        let instance = text.prefix(7).drop { $0 == "0" }
        guard let authorization = Int(text.dropFirst(7).prefix(7), radix: 36), authorization > 0 else { return nil }
        return PSPNumber(
            instance: instance.isEmpty ? "0" : instance.lowercased(),
            authorization: authorization
        ).authorizationIdentifier
    }
}
