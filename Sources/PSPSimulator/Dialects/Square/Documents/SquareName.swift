/// Square's names for what is in the books.
enum SquareName {
    /// The name of a payment: the books' number between capital letters.
    static func payment(_ identifier: String) -> String {
        guard let number = PSPNumber(identifier) else { return identifier }
        return "\(number.instance)P\(number.authorization)ZY"
    }

    /// The books' identifier of a payment; nil if no payment can be called so.
    static func bookName(payment name: String) -> String? {
        let parts = name.split(separator: "P", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("ZY"), let authorization = Int(parts[1].dropLast(2)) else {
            return nil
        }
        let identifier = PSPNumber(instance: String(parts[0]), authorization: authorization).authorizationIdentifier
        return payment(identifier) == name ? identifier : nil
    }

    /// The name of a refund: its payment's, and its number behind that.
    static func refund(_ identifier: String) -> String {
        guard let number = PSPNumber(identifier), let operation = number.operation else { return identifier }
        return "\(payment(number.authorizationIdentifier))_R\(operation)"
    }

    /// The books' identifier of a refund; nil if no refund can be called so.
    static func bookName(refund name: String) -> String? {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("R"), let operation = Int(parts[1].dropFirst()),
            let payment = bookName(payment: String(parts[0])).flatMap({ PSPNumber($0) })
        else { return nil }
        let number = PSPNumber(
            instance: payment.instance,
            authorization: payment.authorization,
            operation: operation
        )
        return refund("ref_\(number.suffix)") == name ? "ref_\(number.suffix)" : nil
    }

    /// The name of a dispute.
    static func dispute(_ identifier: String) -> String {
        guard let number = PSPNumber(identifier), let dispute = number.operation else { return identifier }
        return "\(number.instance)P\(number.authorization)D\(dispute)"
    }

    /// What the books call a payment beside its identifier, so that it is found by its idempotency key.
    static func payment(of account: String, key: String) -> String { "\(account)/\(key)" }
}
