/// Reads a bank's file as it arrives: file, archive or test hand over bytes piece by piece.
///
/// How the bytes are divided makes no difference, and memory does not grow with the file. After a throw the file is
/// unusable as a whole: every further call throws the same, and nothing that was answered before may be kept.
package protocol BankReader {
    /// Reads on, and answers what is complete.
    ///
    /// - Throws: ``BankProblem``; an entry that is wrong on its own is counted and read past.
    mutating func read(_ chunk: ArraySlice<UInt8>) throws(BankProblem) -> [BankItem]

    /// Ends the reading; the file is complete.
    ///
    /// - Returns: what only the end of the file completed, and the control totals.
    /// - Throws: ``BankProblem``, for a file that ends early among others.
    mutating func finish() throws(BankProblem) -> (items: [BankItem], trailer: BankTrailer)
}
