import ArgumentParser
import Domain
import Gateway
import StrictJSON
import Wiring

/// `tributary adapters`.
struct Adapters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What the PSPs of this build can do.",
        discussion: """
            The gateway decides by these declarations alone, never by a PSP's name. Each adapter's README says what was
            checked against which document, and what its sandbox must still confirm.
            """,
        subcommands: [ListAdapters.self, ShowAdapter.self]
    )
}

/// `tributary adapters list`.
struct ListAdapters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the adapters, a line each."
    )

    @OptionGroup var output: FormatOption

    func run() async throws {
        output.write(Table(adapters: AdapterCatalog.psps.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }
}

/// `tributary adapters show`.
struct ShowAdapter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that one adapter declares."
    )

    @Argument(
        help: ArgumentHelp("The adapter, as `adapters list` and a declaration's `psp` name it.", valueName: "psp")
    )
    var name: String

    @OptionGroup var output: FormatOption

    func run() async throws {
        guard let psp = AdapterCatalog.psps[name] else {
            let known = AdapterCatalog.psps.keys.sorted().joined(separator: ", ")
            throw CommandFailure.finding("there is no adapter for \(name.harmless); this build has \(known)")
        }
        let lines = psp.declaration(named: name)
        output.write(Table(lines), json: .object(lines.map { .init($0.name, .string($0.value)) }))
    }
}
