import Domain

/// Currencies by their numeric codes.
enum Currencies {
    private static let table: [Currency?] = {
        var table = [Currency?](repeating: nil, count: 1000)
        for currency in Currency.all { table[currency.numericCode] = currency }
        return table
    }()

    /// The currency of a code that a record has; records are written from currencies that there are.
    static func currency(_ code: UInt16) -> Currency {
        guard let currency = table[Int(code)] else { preconditionFailure("no such currency") }
        return currency
    }
}
