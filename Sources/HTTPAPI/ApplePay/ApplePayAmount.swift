import Domain

/// An amount as Apple's requests write it, exactly: `-?[0-9]+(\.[0-9][0-9])?`.
struct ApplePayAmount: Hashable {
    /// Which amounts a field takes.
    enum Sign {
        /// Every one: a discount is a negative line item.
        case any
        /// Zero and more.
        case notNegative
        /// More than zero.
        case positive
    }

    /// Hundredths of the currency's major unit, whatever its minor unit is.
    let hundredths: Int64

    /// Reads an amount's text.
    ///
    /// - Throws: ``MoneyError/malformed`` or ``MoneyError/overflow``.
    init(_ text: String) throws(MoneyError) {
        let isNegative = text.hasPrefix("-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
            .split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, parts.count <= 2, parts.count == 1 || parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { throw .malformed }
        let fraction = parts.count == 2 ? String(parts[1]) ?? "" : "00"
        guard let digits = String(whole), let value = Int64((isNegative ? "-" : "") + digits + fraction) else {
            throw .overflow
        }
        hundredths = value
    }

    private init(hundredths: Int64) { self.hundredths = hundredths }

    /// Whether the currency has the decimal digits that are used; all two-decimal amounts fit two digits or more.
    func fits(_ currency: Currency) -> Bool { currency.exponent >= 2 || hundredths % 100 == 0 }

    /// The sum; nil if it does not fit 64 bits.
    static func sum(_ amounts: some Sequence<ApplePayAmount>) -> ApplePayAmount? {
        var total: Int64 = 0
        for amount in amounts {
            let (sum, overflow) = total.addingReportingOverflow(amount.hundredths)
            guard !overflow else { return nil }
            total = sum
        }
        return ApplePayAmount(hundredths: total)
    }
}
