import ArgumentParser
import Domain
import SQL
import Storage
import StrictJSON

/// `tributary callbacks show`.
struct ShowCallback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one callback: where it stands, why, and what it says, byte for byte as it is signed.",
        discussion: """
            Exits 1 if there is no such callback.

            Example:
              tributary callbacks show cb_01jd… --format json
            """
    )

    @Argument(help: ArgumentHelp("The callback's id, as `callbacks list` shows it.", valueName: "cb_…"))
    var callback: String

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        guard let id = CallbackID(callback) else {
            throw CommandFailure.unusable(
                "\(callback.harmless) is no callback's id; `tributary callbacks list` shows them"
            )
        }
        let found = try await DatabaseUse.looking.open(database.settings()) { database in
            try await database.read { session in try CallbackTable.find(id, in: session) }
        }
        guard let found else { throw CommandFailure.finding("there is no callback \(id)") }
        let table = Table(callbacks: [found])
        switch output.format {
        case .table: Console.out(page(of: found))
        case .json:
            let members = table.json[0]?.objectValue ?? []
            Console.out(JSON.object(members + [.init("payload", .string(found.content.payload))]).prettyText)
        case .csv: output.write(table)
        }
    }

    private func page(of callback: StoredCallback) -> String {
        let facts: [(String, String?)] = [
            ("callback", callback.id.text), ("type", callback.content.type), ("state", callback.state.rawValue),
            ("endpoint", callback.endpoint.text), ("merchant", callback.content.merchant?.text),
            ("order", callback.content.order?.text), ("payment", callback.content.payment?.text),
            ("sequence", String(callback.content.sequence)), ("written down", callback.content.at.description),
            ("failed tries", String(callback.attempts)), ("next try", callback.dueAt?.description),
            ("settled", callback.settledAt?.description), ("last status", callback.lastStatus.map(String.init)),
            ("last failure", callback.lastError?.harmless),
        ]
        let present = facts.compactMap { name, value in value.map { (name, $0) } }
        let width = present.map(\.0.count).max() ?? 0
        let lines = present.map { $0 + String(repeating: " ", count: width - $0.count + 2) + $1 }
        let payload = (try? JSON.parse(text: callback.content.payload).prettyText) ?? callback.content.payload.harmless
        return lines.joined(separator: "\n") + "\n\nPayload\n" + payload
    }
}
