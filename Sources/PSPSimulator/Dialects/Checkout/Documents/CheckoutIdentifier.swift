/// Checkout.com's identifiers: a prefix and 26 lower-case letters and digits.
///
/// The 26 are the length of the books' name, the name (9), the payment's number (10) and that of its part (6), in
/// base 36; a payment is its part 0, and so is its authorization among the actions.
enum CheckoutIdentifier {
    /// The part of a payment that is the capture which was not asked for on its own, and what is told of it.
    static let saleCapture = 46_656
    /// The part of a payment that is the void which nobody asked for.
    static let lapse = 93_312

    private static let widths = [1, 9, 10, 6]

    /// What Checkout.com calls something with one of the books' identifiers.
    ///
    /// - Parameters:
    ///   - prefix: `pay`, `act`, `evt`, `dsp` or `src`.
    ///   - identifier: the books' identifier.
    ///   - part: the part that is meant, if the identifier does not say it.
    /// - Returns: the identifier.
    static func text(_ prefix: String, _ identifier: String, part: Int? = nil) -> String {
        guard let number = PSPNumber(identifier) else { return identifier }
        let values = [
            String(number.instance.utf8.count, radix: 36), number.instance, String(number.authorization, radix: 36),
            String(part ?? number.operation ?? 0, radix: 36),
        ]
        let digits = zip(values, widths).map { value, width in
            String(repeating: "0", count: max(0, width - value.utf8.count)) + value
        }
        return "\(prefix)_" + digits.joined()
    }

    /// The books' identifier of a payment that Checkout.com calls so; nil if nothing is called so.
    static func payment(_ text: String) -> String? {
        guard text.hasPrefix("pay_"), text.utf8.count == 30, text.hasSuffix("000000"),
            let length = Int(text.dropFirst(4).prefix(1), radix: 36), 1...9 ~= length,
            let authorization = Int(text.dropFirst(14).prefix(10), radix: 36), authorization > 0
        else { return nil }
        let instance = String(text.dropFirst(5).prefix(9).suffix(length))
        let name = PSPNumber(instance: instance, authorization: authorization).authorizationIdentifier
        return self.text("pay", name) == text ? name : nil
    }
}
