/// A statement that does not add up: our books are wrong, and it is not shown.
package struct StatementMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The opening balance in minor units.
    package let opening: Int64
    /// What the lines come to.
    package let net: Int64
    /// The closing balance, by the payable account.
    package let closing: Int64

    /// Makes a mismatch.
    package init(opening: Int64, net: Int64, closing: Int64) {
        self.opening = opening
        self.net = net
        self.closing = closing
    }

    /// The sentence for whoever has to look into it.
    package var description: String {
        "the statement does not add up: \(opening) and lines of \(net) are not \(closing), in minor units"
    }

    /// Holds a closing balance to the opening one and the lines between them.
    ///
    /// - Throws: itself, if they do not fit.
    package static func check(opening: Int64, net: Int64, closing: Int64) throws(StatementMismatch) {
        let (sum, overflow) = opening.addingReportingOverflow(net)
        guard !overflow, sum == closing else {
            throw StatementMismatch(opening: opening, net: net, closing: closing)
        }
    }
}
