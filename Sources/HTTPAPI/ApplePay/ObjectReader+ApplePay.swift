import Domain
import StrictJSON

/// Values that only Apple's requests have.
extension ObjectReader {
    /// An amount in Apple's form, no finer than the currency.
    func appleAmount(
        _ key: String,
        _ presence: Presence = .required,
        in currency: Currency?,
        sign: ApplePayAmount.Sign = .any
    ) -> ApplePayAmount? {
        guard let json = value(key, presence) else { return nil }
        guard let text = json.stringValue else {
            refuse(key, "wrong_type", "Must be a string such as 12 or 12.50.")
            return nil
        }
        let amount: ApplePayAmount
        do throws(MoneyError) {
            amount = try ApplePayAmount(text)
        } catch {
            refuseAmount(key, error, currency)
            return nil
        }
        if let currency, !amount.fits(currency) {
            refuse(key, "too_precise", "\(currency.code) has no decimal digits.")
            return nil
        }
        switch sign {
        case .notNegative where amount.hundredths < 0:
            refuse(key, "negative_amount", "Must not be negative.")
            return nil
        case .positive where amount.hundredths <= 0:
            refuse(key, "not_positive", "Must be more than zero.")
            return nil
        default: return amount
        }
    }

    private func refuseAmount(_ key: String, _ error: MoneyError, _ currency: Currency?) {
        guard error == .malformed else { return refuse(key, "amount_overflow", "Is more than any sheet takes.") }
        let exponent = currency?.exponent ?? 2
        let hint = exponent > 2 ? " Apple's form has no third decimal digit, even in \(currency?.code ?? "")." : ""
        refuse(key, "malformed_amount", "Must be digits, with no decimal digits or exactly two.\(hint)")
    }

    /// A moment in ISO 8601.
    func appleDate(_ key: String, _ presence: Presence = .optional) -> Timestamp? {
        parsed(key, presence, expecting: "a date in ISO 8601, such as 2026-01-31T12:00:00Z", ISODate.timestamp)
    }

    /// An absolute address with one of the schemes.
    func webAddress(_ key: String, _ presence: Presence = .required, schemes: [String]) -> String? {
        let expected = "an absolute address that begins with \(schemes.joined(separator: " or "))"
        return parsed(key, presence, expecting: expected) { text in
            guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else { return nil }
            let host = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            return !host.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : nil
        }
    }
}
