/// What Braintree calls things: a global identifier of the kind and a legacy identifier, in base 64 without padding.
///
/// A legacy identifier is the books' number in base 36: seven digits for the books, five for the payment, two for its
/// refund or dispute, and the currency's decimals as the last digit, so that amounts of later requests can be read.
struct BraintreeName: Hashable, Sendable {
    /// What is called so.
    enum Kind: String, Hashable, Sendable {
        case transaction
        case refund
        case dispute
    }

    /// What it is.
    let kind: Kind
    /// Where it stands in the books.
    let number: PSPNumber
    /// How many decimals its amounts have.
    let decimals: Int

    /// The name of something in the books.
    ///
    /// - Parameters:
    ///   - kind: what it is.
    ///   - identifier: one of the books' identifiers.
    ///   - currency: the currency of its amounts.
    init(_ kind: Kind, _ identifier: String, _ currency: String) {
        self.kind = kind
        number = PSPNumber(identifier) ?? PSPNumber(instance: "0", authorization: 0)
        decimals = BraintreeAmount.decimals(of: currency)
    }

    /// Reads a global identifier; nil if nothing is called so.
    init?(_ text: String) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let bytes = Base64.decode(text + padding) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.init(kind, legacy: String(parts[1]))
    }

    /// Reads a legacy identifier; nil if nothing of that kind is called so.
    init?(_ kind: Kind, legacy text: String) {
        guard text.utf8.count == (kind == .transaction ? 13 : 15), text == text.lowercased(),
            let decimals = text.last?.wholeNumberValue, [0, 2, 3].contains(decimals),
            let authorization = Int(text.dropFirst(7).prefix(5), radix: 36), authorization > 0
        else { return nil }
        let instance = text.prefix(7).drop { $0 == "0" }
        let operation = kind == .transaction ? nil : Int(text.dropFirst(12).prefix(2), radix: 36)
        guard kind == .transaction || operation != nil else { return nil }
        self.kind = kind
        number = PSPNumber(
            instance: instance.isEmpty ? "0" : String(instance),
            authorization: authorization,
            operation: operation
        )
        self.decimals = decimals
    }

    /// The legacy identifier.
    var legacy: String {
        let last = number.operation.map { Self.padded(String($0, radix: 36), 2) } ?? ""
        return Self.padded(number.instance, 7) + Self.padded(String(number.authorization, radix: 36), 5) + last
            + String(decimals)
    }

    /// The global identifier.
    var global: String {
        String(Base64.encode(Array("\(kind.rawValue)_\(legacy)".utf8)).prefix { $0 != "=" })
    }

    /// The books' identifier of the refund.
    var refundIdentifier: String { "ref_\(number.suffix)" }

    private static func padded(_ digits: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
