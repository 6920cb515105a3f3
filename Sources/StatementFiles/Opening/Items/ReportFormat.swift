/// What a report is written in.
package enum ReportFormat: Hashable, Sendable, CustomStringConvertible {
    /// A PSP's settlement report; the name is `SettlementReport.format`.
    case settlement(String)
    /// camt.052, camt.053 or camt.054 of ISO 20022.
    case camt
    /// SWIFT MT940 or MT942.
    case mt940
    /// A bank's table that the operator declared; the name is ``BankTable/name``.
    case table(String)

    /// Its name: lower case with hyphens.
    package var description: String {
        switch self {
        case .settlement(let name), .table(let name): name
        case .camt: "camt"
        case .mt940: "mt940"
        }
    }
}
