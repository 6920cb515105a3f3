/// The settlement reports that a simulator writes: in whose format, and on which terms.
package struct SettlementReports: Hashable, Sendable {
    /// Whose format.
    package let dialect: DialectName
    /// What is taken of each capture, in minor units.
    package let captureFee: Int64

    /// Describes the reports of a simulator.
    package init(dialect: DialectName, captureFee: Int64 = 0) {
        self.dialect = dialect
        self.captureFee = captureFee
    }

    /// Checks what is asked for.
    ///
    /// - Parameters:
    ///   - account: the account in the books.
    ///   - from: the first day in UTC, `2026-11-23`; nil for no first.
    ///   - to: the last day; nil for no last.
    /// - Returns: the writing of it.
    /// - Throws: ``Refusal`` without an account, for what is no day, and at a PSP whose adapter reads no report.
    func writing(account: String?, from: String?, to: String?) throws(Refusal) -> ReportWriting {
        guard let layout = dialect.reportLayout else { throw .noReport(of: dialect.rawValue) }
        guard let account, !account.isEmpty else { throw .invalid("The query needs an account, as GET /books has it.") }
        let (first, last) = (try Self.day(from, "from") ?? "0000-01-01", try Self.day(to, "to") ?? "9999-12-31")
        guard first <= last else { throw .invalid("The day `to` is before `from`.") }
        return ReportWriting(account: account, layout: layout, days: first...last, captureFee: captureFee)
    }

    private static func day(_ text: String?, _ name: String) throws(Refusal) -> String? {
        guard let text else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isDay = parts.map(\.utf8.count) == [4, 2, 2] && parts.joined().utf8.allSatisfy { 48...57 ~= $0 }
        guard isDay, let month = Int(parts[1]), let day = Int(parts[2]), 1...12 ~= month, 1...31 ~= day else {
            throw .invalid("`\(name)` is no day; write 2026-11-23.")
        }
        return text
    }
}

/// A report that can be written.
struct ReportWriting: Sendable {
    let account: String
    let layout: any ReportLayout.Type
    let days: ClosedRange<String>
    let captureFee: Int64

    /// The report; nil if the account never sent anything.
    func report(_ books: Books, at now: Int64) -> WrittenReport? {
        WrittenReport(of: account, books, at: now, layout: layout, days: days, fee: captureFee)
    }
}
