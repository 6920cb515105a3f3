import Domain
import Testing

/// What each event posts, by who settles to whom, for the figures by which the books are explained: 70.00 captured,
/// of which 7.00 are commission.
@Suite("Postings of each event")
struct PostingTableTests {
    /// Who settles to whom.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case marketplace
        case merchantByPSP = "merchant, commission by the PSP"
        case merchantByInvoice = "merchant, commission by invoice"

        var testDescription: String { rawValue }

        var route: RouteSnapshot {
            switch self {
            case .marketplace: RouteSnapshot(psp: "simulator", pspAccount: "a")
            case .merchantByPSP: route(.psp)
            case .merchantByInvoice: route(.invoice)
            }
        }

        private func route(_ commissionBy: RouteSnapshot.CommissionBy) -> RouteSnapshot {
            RouteSnapshot(
                psp: "stripe",
                pspAccount: "a",
                merchantAccount: "acct_1",
                settlesTo: .merchant,
                commissionBy: commissionBy
            )
        }
    }

    /// What happens to the payment.
    enum Event: String, CaseIterable {
        case authorization
        case release
        case capture
        case partialRefund = "partial refund"
        case refundBorneByMarketplace = "refund borne by the marketplace"
        case failedRefund = "refund that failed after all"
        case dispute
        case wonDispute = "dispute that is won"
        case lostDispute = "dispute that is lost"
        case compensation
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let event: Event
        let way: Way
        /// Debit, credit and amount of each posting of the event's entries.
        let postings: [String]
        var testDescription: String { "\(event.rawValue), \(way.rawValue)" }
    }

    private static let hold = "held > held for 7000"
    private static let release = "held for > held 7000"

    static let rows: [Row] =
        Way.allCases.flatMap { way in
            [
                Row(event: .authorization, way: way, postings: [hold]),
                Row(event: .release, way: way, postings: [release]),
            ]
        } + [
            Row(
                event: .capture,
                way: .marketplace,
                postings: [release, "clearing > payable 6300", "clearing > commission 700"]
            ),
            Row(
                event: .capture,
                way: .merchantByPSP,
                postings: [release, "direct > direct to 6300", "clearing > commission 700"]
            ),
            Row(
                event: .capture,
                way: .merchantByInvoice,
                postings: [release, "direct > direct to 6300", "receivable > commission 700"]
            ),
            Row(
                event: .partialRefund,
                way: .marketplace,
                postings: ["payable > clearing 900", "commission > clearing 100"]
            ),
            Row(
                event: .partialRefund,
                way: .merchantByPSP,
                postings: ["direct to > direct 900", "commission > clearing 100"]
            ),
            Row(
                event: .partialRefund,
                way: .merchantByInvoice,
                postings: ["direct to > direct 900", "commission > receivable 100"]
            ),
            Row(
                event: .refundBorneByMarketplace,
                way: .marketplace,
                postings: ["commission > clearing 100", "refunds borne > clearing 900"]
            ),
            Row(
                event: .refundBorneByMarketplace,
                way: .merchantByPSP,
                postings: ["direct to > direct 900", "commission > clearing 100", "refunds borne > payable 900"]
            ),
            Row(
                event: .refundBorneByMarketplace,
                way: .merchantByInvoice,
                postings: ["direct to > direct 900", "commission > receivable 100", "refunds borne > payable 900"]
            ),
            Row(
                event: .failedRefund,
                way: .marketplace,
                postings: ["clearing > payable 900", "clearing > commission 100"]
            ),
            Row(
                event: .failedRefund,
                way: .merchantByPSP,
                postings: ["direct > direct to 900", "clearing > commission 100"]
            ),
            Row(
                event: .failedRefund,
                way: .merchantByInvoice,
                postings: ["direct > direct to 900", "receivable > commission 100"]
            ),
            Row(event: .dispute, way: .marketplace, postings: ["payable > clearing 7000"]),
            Row(event: .dispute, way: .merchantByPSP, postings: ["direct to > direct 7000"]),
            Row(event: .dispute, way: .merchantByInvoice, postings: ["direct to > direct 7000"]),
            Row(event: .wonDispute, way: .marketplace, postings: ["clearing > payable 7000"]),
            Row(event: .wonDispute, way: .merchantByPSP, postings: ["direct > direct to 7000"]),
            Row(event: .wonDispute, way: .merchantByInvoice, postings: ["direct > direct to 7000"]),
            // What was taken when it was opened stays taken.
            Row(event: .lostDispute, way: .marketplace, postings: []),
            Row(event: .lostDispute, way: .merchantByPSP, postings: []),
            Row(event: .lostDispute, way: .merchantByInvoice, postings: []),
            Row(
                event: .compensation,
                way: .marketplace,
                postings: ["payable > clearing 6300", "commission > clearing 700"]
            ),
            Row(
                event: .compensation,
                way: .merchantByPSP,
                postings: ["direct to > direct 6300", "commission > clearing 700"]
            ),
            Row(
                event: .compensation,
                way: .merchantByInvoice,
                postings: ["direct to > direct 6300", "commission > receivable 700"]
            ),
        ]

    @Test("has a row for every event and every way") func isComplete() {
        #expect(Self.rows.count == Event.allCases.count * Way.allCases.count)
        #expect(Set(Self.rows.map(\.testDescription)).count == Self.rows.count)
    }

    @Test("are those of the table", arguments: rows)
    func postings(_ row: Row) throws {
        let checkout = Checkout(
            amounts: [7000, 500],
            routes: [row.way.route],
            commission: CommissionRule(basisPoints: 1000)
        )
        let payment: PaymentID
        let entries: [JournalEntry]
        switch row.event {
        case .authorization, .release: (payment, entries) = try Self.holding(checkout, releases: row.event == .release)
        case .compensation: (payment, entries) = try Self.compensating(checkout)
        default: (payment, entries) = try Self.selling(checkout, row.event)
        }
        let postings = entries.filter { $0.payment == payment }.flatMap(\.postings)
        #expect(postings.map(Self.text) == row.postings)
    }

    private static func holding(_ checkout: Checkout, releases: Bool) throws -> (PaymentID, [JournalEntry]) {
        var story = try Story.accepted(checkout)
        if releases {
            let before = story.books.entries.count
            try story.request { (machine) throws(RequestRefusal) in try machine.cancel() }
            try story.succeed(.void, 0)
            return (story.order.payments[0].id, Array(story.books.entries[before...]))
        }
        return (story.order.payments[0].id, story.books.entries)
    }

    /// A captured part is given back because the other part cannot be captured.
    private static func compensating(_ checkout: Checkout) throws -> (PaymentID, [JournalEntry]) {
        var story = try Story(checkout)
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .refusedByIssuer)
        let before = story.books.entries.count
        try story.succeed(.refund, 0)
        return (story.order.payments[0].id, Array(story.books.entries[before...]))
    }

    /// The last of the events that lead to the one wanted.
    private static func selling(_ checkout: Checkout, _ event: Event) throws -> (PaymentID, [JournalEntry]) {
        var story = try Story(checkout)
        story.approve(0, 1)
        var before = story.books.entries.count
        try story.succeed(.capture, 0)
        if event != .capture {
            try story.succeed(.capture, 1)
            before = story.books.entries.count
        }
        let bearer: Refund.Bearer = event == .refundBorneByMarketplace ? .marketplace : .merchant
        if [.partialRefund, .refundBorneByMarketplace, .failedRefund].contains(event) {
            try story.refund(story.shares((0, 1000)), borneBy: bearer)
            try story.succeed(.refund, 0)
        }
        if event == .failedRefund {
            before = story.books.entries.count
            let isHeard = story.notice(0, .reversed(.refund, .later), object: "refund-0")
            #expect(isHeard)
        }
        if [.dispute, .wonDispute, .lostDispute].contains(event) {
            let news = DisputeNotice(state: .opened, amount: 7000, reason: nil)
            let isOpened = story.notice(0, .dispute(news), object: "dp_1")
            #expect(isOpened)
        }
        if event == .wonDispute || event == .lostDispute {
            before = story.books.entries.count
            let end: DisputeNotice.State = event == .wonDispute ? .won : .lost
            let isEnded = story.notice(
                0,
                .dispute(DisputeNotice(state: end, amount: 7000, reason: nil)),
                object: "dp_1"
            )
            #expect(isEnded)
        }
        return (story.order.payments[0].id, Array(story.books.entries[before...]))
    }

    private static func text(_ posting: Posting) -> String {
        "\(name(posting.debit)) > \(name(posting.credit)) \(posting.amount)"
    }

    private static func name(_ account: Account) -> String {
        switch account {
        case .held: "held"
        case .heldFor: "held for"
        case .clearing: "clearing"
        case .direct: "direct"
        case .directTo: "direct to"
        case .bank: "bank"
        case .payable: "payable"
        case .receivable: "receivable"
        case .refundsBorne: "refunds borne"
        case .disputesBorne: "disputes borne"
        case .commission: "commission"
        case .commissionTax: "commission tax"
        case .tax: "tax"
        case .tips: "tips"
        case .shipping: "shipping"
        case .reserve, .pspFees, .suspense, .conversion, .differences: "of files: \(account.path)"
        }
    }
}
