/// What a bank's file holds, in its order: head, entries and end of each statement.
package enum BankItem: Hashable, Sendable {
    /// A statement begins.
    case head(BankStatementHead)
    /// An entry of the statement.
    case entry(BankEntry)
    /// The statement ends.
    case end(BankStatementEnd)
}
