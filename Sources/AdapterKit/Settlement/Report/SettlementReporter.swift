/// An adapter whose PSP has settlement reports that can be read.
public protocol SettlementReporter: PaymentAdapter {
    /// The kinds of report it has.
    static var settlementReports: [any SettlementReport.Type] { get }
}

extension SettlementReporter {
    /// The kind of report that a file beginning with these bytes is; nil if it is none of this PSP's.
    public static func settlementReport(beginning head: [UInt8]) -> (any SettlementReport.Type)? {
        settlementReports.first { $0.recognises(head) }
    }
}
