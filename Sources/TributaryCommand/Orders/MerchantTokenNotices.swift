import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary agreements notices`.
struct ListMerchantTokenNotices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notices",
        abstract: "List what Apple announced of merchant tokens, latest first.",
        discussion: """
            Events that are announced are fetched from Apple for seven days. Settled ones are kept for eight.

            Example:
              tributary agreements notices --state given_up
            """
    )

    @Option(
        name: .long,
        help: "Only events in this state: announced, applied, ignored, unrelated, refused or given_up."
    )
    var state: String?

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func validate() throws { _ = try wantedState() }

    func run() async throws {
        let wanted = try wantedState()
        let found = try await DatabaseUse.looking.open(database.settings()) { [marketplace, limit] database in
            try await database.read { session in
                try MerchantTokenNoticeTable.list(
                    of: try marketplace.filter(in: session),
                    in: wanted,
                    limit: limit.count,
                    in: session
                )
            }
        }
        output.write(Table(notices: found), orSaying: "Apple announced nothing.")
    }

    private func wantedState() throws -> MerchantTokenNotice.State? {
        guard let state else { return nil }
        guard let known = MerchantTokenNotice.State(rawValue: state) else {
            let words = MerchantTokenNotice.State.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--state is one of \(words)")
        }
        return known
    }
}

extension Table {
    /// A row for each announced event.
    fileprivate init(notices: [MerchantTokenNotice]) {
        self.init("event", "marketplace", "merchant", "state", "type", "announced_at", "failures", "failure")
        for notice in notices {
            add(
                .text(notice.event),
                .text(notice.marketplace),
                .text(notice.merchant.text),
                .text(notice.state.rawValue),
                .optional(notice.type),
                .moment(notice.announcedAt),
                .integer(notice.failures),
                .optional(notice.failure)
            )
        }
    }
}
