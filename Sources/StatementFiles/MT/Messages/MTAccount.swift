import Domain

/// The account of `:25:`: an IBAN, a bank's number and an account's, or whatever else a bank writes.
enum MTAccount {
    /// Reads a field; some banks put the currency behind the number.
    static func account(_ field: MTField) -> BankAccount? {
        guard var text = MTText.optional(field.first) else { return nil }
        let isIBAN = isIBAN(text)
        var currency: Currency?
        if !isIBAN, let last = text.dropLast(3).utf8.last, Digits.isDigit(last),
            let found = Currency(code: String(text.suffix(3)))
        {
            currency = found
            text = String(text.dropLast(3))
        }
        let servicer = field.lines.count > 1 ? MTText.optional(field.lines[1][...]) : nil
        return BankAccount(identifier: text, isIBAN: isIBAN, currency: currency, servicer: servicer)
    }

    /// Whether the text is an IBAN (ISO 13616) by its form and its check digits.
    static func isIBAN(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (15...34).contains(bytes.count), bytes.prefix(2).allSatisfy({ isLetter($0) }),
            bytes[2...3].allSatisfy({ Digits.isDigit($0) }),
            bytes.allSatisfy({ Digits.isDigit($0) || isLetter($0) })
        else { return false }
        let remainder = (bytes[4...] + bytes[..<4]).reduce(0) { remainder, byte in
            isLetter(byte)
                ? (remainder * 100 + Int(byte) - 55) % 97 : (remainder * 10 + Int(byte) - 48) % 97
        }
        return remainder == 1
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
