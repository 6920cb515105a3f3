package import Domain

/// Takes what a reconciliation finds, as it is found, in a stable order.
package protocol FindingOutput {
    /// Is told, before anything else, the day that ages are counted to; nil if nothing names a day.
    mutating func begin(asOf: CalendarDay?)
    /// Takes matches.
    mutating func take(_ matches: [Match]) throws
    /// Takes breaks, each with its identifier.
    mutating func take(_ breaks: [(id: BreakID, difference: Break)]) throws
}
