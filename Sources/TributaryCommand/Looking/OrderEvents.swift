import ArgumentParser
import Domain
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// `tributary orders events`.
struct OrderEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show an order's history: every step, every decision and what it was made on."
    )

    private static let eventsAtOnce = 1000

    @OptionGroup var order: OrderArgument
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (order, events) = try await DatabaseUse.looking.open(database.settings()) { [order] database in
            try await database.read { session in
                let order = try order.load(in: session)
                return (order, try Self.events(of: order.id, in: session))
            }
        }
        let merchants = Dictionary(uniqueKeysWithValues: order.payments.map { ($0.id, $0.externalIdentifier) })
        var table = Table("sequence", "at", "type", "merchant", "details")
        for event in events {
            let details = event.details.map { "\($0.name): \($0.value.words)" }.joined(separator: "; ")
            table.add(
                .integer(event.sequence),
                .moment(event.at),
                .text(event.type),
                .optional(event.payment.flatMap { merchants[$0] }),
                .optional(details.isEmpty ? nil : details)
            )
        }
        output.write(table, json: .array(events.map(EventPresenter.json)))
    }

    private static func events(of order: OrderID, in session: any Session) throws(SQLError) -> [OrderEvent] {
        var all: [OrderEvent] = []
        while true {
            let page = try OrderSearch.events(
                of: order,
                after: all.last?.sequence ?? 0,
                limit: eventsAtOnce,
                in: session
            )
            all += page
            if page.count < eventsAtOnce { return all }
        }
    }
}

extension OrderEvent.Value {
    fileprivate var words: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): String(integer)
        case .list(let texts): texts.joined(separator: ", ")
        }
    }
}
