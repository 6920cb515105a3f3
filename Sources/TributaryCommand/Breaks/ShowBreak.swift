import ArgumentParser
import Domain
import SQL
import Storage
import StrictJSON

/// `tributary breaks show`.
struct ShowBreak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a break: what differs, what would fix it, and what was done about it."
    )

    @OptionGroup var argument: BreakArgument
    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (found, now) = try await DatabaseUse.looking.open(database.settings()) { [argument, marketplace] database in
            let now = Timestamp(microseconds: try await database.now())
            let found = try await database.read { session in
                try argument.load(of: marketplace.choose(in: session), in: session)
            }
            return (found, now)
        }
        var actions = Table("at", "from", "to", "actor", "reason")
        for action in found.actions {
            actions.add(
                .moment(action.at),
                .text(action.from.rawValue),
                .text(action.to.rawValue),
                .text(action.actor),
                .text(action.reason)
            )
        }
        switch output.format {
        case .table:
            Console.out(Table(breaks: [found.difference], at: now).text)
            Console.out("\n\(found.difference.difference.explanation.harmless)")
            Console.out(found.difference.difference.suggestion.harmless)
            for place in found.difference.difference.lines {
                Console.out("  file \(place.file.prefix(12))… member \(place.member) row \(place.row)")
            }
            if !actions.rows.isEmpty { Console.out("\n" + actions.text) }
        case .json:
            let row = BreakRow(id: found.difference.id, difference: found.difference.difference, asOf: .utc(now))
            let members =
                (row.json.objectValue ?? []) + [
                    .init("state", .string(found.difference.state.rawValue)), .init("actions", actions.json),
                ]
            Console.out(JSON.object(members).prettyText)
        case .csv: output.write(actions)
        }
    }
}
