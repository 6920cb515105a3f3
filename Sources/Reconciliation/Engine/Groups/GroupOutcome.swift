import Domain

/// What became of some lines and expectations that share a key; each is named by its place in the group.
enum GroupOutcome {
    /// They agree.
    case matched(lines: [Int], expectations: [Int])
    /// The line reports again what another reports.
    case repeated(line: Int, of: Int)
    /// They belong together and differ.
    case differing(BreakType, lines: [Int], expectations: [Int])
    /// Lines that take each other back, of which our books know nothing: there and away again.
    case canceled(lines: [Int])
    /// Lines of the commission on payments; how much they have more than was frozen, in units of 10⁻¹².
    case commission(lines: [Int], expectations: [Int], excess: Int128)
    /// Lines of commissions that cannot be compared, or whose payment has a break of its own.
    case commissionUncompared(lines: [Int])
    /// The expectation is met, and waits for a line of its commission.
    case commissionOpen(expectation: Int)
}
