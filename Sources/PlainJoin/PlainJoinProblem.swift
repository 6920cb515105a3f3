/// SQLite refused something.
package struct PlainJoinProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's result code.
    package let code: Int32

    /// A sentence for the operator.
    package var description: String { "SQLite refused with the result code \(code)." }
}
