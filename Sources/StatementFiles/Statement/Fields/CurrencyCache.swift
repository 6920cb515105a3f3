import Domain

/// Looks up currencies by the bytes of their codes; a file has few of them.
struct CurrencyCache {
    private var known: [(code: UInt32, currency: Currency)] = []

    /// The currency of three letters; nil if ISO 4217 has none such in force.
    func currency(_ code: ArraySlice<UInt8>) -> Currency? {
        guard code.count == 3 else { return nil }
        let key = Self.key(code)
        for entry in known where entry.code == key { return entry.currency }
        return Currency(code: String(decoding: code, as: UTF8.self))
    }

    /// Remembers a currency.
    mutating func remember(_ currency: Currency) {
        let key = Self.key(Array(currency.code.utf8)[...])
        guard known.count < 16, !known.contains(where: { $0.code == key }) else { return }
        known.append((key, currency))
    }

    private static func key(_ code: ArraySlice<UInt8>) -> UInt32 { code.reduce(0) { $0 << 8 | UInt32($1) } }
}
