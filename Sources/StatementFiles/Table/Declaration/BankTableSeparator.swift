/// What separates the fields of a bank's table.
package enum BankTableSeparator: String, Hashable, Sendable, CaseIterable {
    /// `,`
    case comma
    /// `;`
    case semicolon
    /// A horizontal tabulator.
    case tab
    /// `|`
    case pipe

    /// The byte.
    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        case .pipe: UInt8(ascii: "|")
        }
    }
}
