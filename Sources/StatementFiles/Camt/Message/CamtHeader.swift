import AdapterKit

/// A message's header: GrpHdr.
struct CamtHeader {
    private var identifier: String?
    private var createdOn: SettlementDate?
    private var page: Int?
    private var isLastPage: Bool?

    /// A message without one.
    init() {}

    init(_ record: XMLRecord) {
        identifier = record.string(0, .message)
        createdOn = record.string(0, .created).map { SettlementDate($0) }
        let pages = record.child(0, .messagePages)
        page = record.string(pages, .page).flatMap { Int($0) }
        isLastPage = record.string(pages, .isLastPage).map { $0 == "true" || $0 == "1" }
    }

    /// The head of a statement of this message, before it is read.
    func head(number: Int, line: Int, kind: BankReportKind) -> BankStatementHead {
        var head = BankStatementHead(number: number, line: line, kind: kind)
        head.message = identifier
        head.messageCreatedOn = createdOn
        head.page = page
        head.isLastPage = isLastPage
        return head
    }
}
