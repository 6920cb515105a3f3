/// A kind of settlement report, read as it arrives: file, socket or test hand over bytes piece by piece.
///
/// How the bytes are divided makes no difference, and memory does not grow with the file. After a throw the file is
/// unusable as a whole: every further call throws the same.
public protocol SettlementReport: Sendable {
    /// The name of the format, lower case with hyphens: `adyen-settlement-details`.
    static var format: String { get }

    /// Whether a file that begins with these bytes is such a report.
    ///
    /// The first 16 KiB are enough, or the whole file if it is shorter.
    static func recognises(_ head: [UInt8]) -> Bool

    /// Makes a reader at the beginning of a file.
    init()

    /// Reads on, and answers the lines that are complete.
    ///
    /// - Throws: ``SettlementProblem``; a row that is wrong on its own is counted and read past.
    mutating func read(_ chunk: ArraySlice<UInt8>) throws(SettlementProblem) -> [SettlementLine]

    /// Ends the reading; the file is complete.
    ///
    /// - Throws: ``SettlementProblem``, for a file that ends early among others.
    mutating func finish() throws(SettlementProblem) -> SettlementTrailer
}
