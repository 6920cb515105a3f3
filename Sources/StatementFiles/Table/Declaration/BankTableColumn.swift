/// A column of a bank's table.
package enum BankTableColumn: Hashable, Sendable, CustomStringConvertible {
    /// By its name in the header, without regard to case and to spaces around it.
    case name(String)
    /// By its place, the first being 1.
    case number(Int)

    /// The name or the number, for messages.
    package var description: String {
        switch self {
        case .name(let name): name
        case .number(let number): "column \(number)"
        }
    }
}
