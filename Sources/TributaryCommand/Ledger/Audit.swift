import ArgumentParser
import Domain
import Foundation
import Gateway
import HTTPAPI
import SQL
import Storage
import StrictJSON

/// `tributary audit`.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See who did what by hand, and hold the trail of it to itself.",
        discussion: """
            An entry for each act over the API and on the command line, chained by hashes, a chain for each marketplace.
            Placing an order is none: the order's own history says who asked (`orders events`).
            """,
        subcommands: [ListAudit.self, VerifyAudit.self, ExportAudit.self]
    )
}

/// `tributary audit list`.
struct ListAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what was done by hand, the latest first.",
        discussion: """
            An entry without a number is not sealed yet; `serve` does so within a second or two. The kind of the actor is
            key for an API key, which acts over HTTP (via http), and shell for a user of the machine, who acts on the
            database directly (via direct).

            Examples:
              tributary audit list --act order.refund --since 2026-11-01T00:00:00Z
              tributary audit list --actor "night shift" --format json
            """
    )

    @Option(name: .long, help: ArgumentHelp("Only what was done, as order.capture.", valueName: "act"))
    var act: AuditAct?

    @Option(name: .long, help: ArgumentHelp("Only by whom: an API key's id or name, or a user.", valueName: "actor"))
    var actor: String?

    @Option(name: .long, help: ArgumentHelp("Only what it was done to, by its id.", valueName: "id"))
    var subject: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Only from this moment on, as 2026-11-21T07:40:09Z.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var since: Timestamp?

    @Option(
        name: .long,
        help: ArgumentHelp("Only before this moment.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var until: Timestamp?

    @Option(name: .long, help: "How many entries at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let entries = try await DatabaseUse.looking.open(database.settings()) { [self] database in
            try await database.read { session in
                var filter = AuditTrailTable.Filter(marketplace: try marketplace.choose(in: session))
                (filter.act, filter.actor, filter.subject) = (act, actor, subject)
                (filter.since, filter.until) = (since, until)
                return try AuditTrailTable.list(filter, limit: limit.count, in: session)
            }
        }
        var table = Table(
            "number",
            "at",
            "kind",
            "via",
            "actor",
            "name",
            "origin",
            "act",
            "subject",
            "details",
            "request",
            "shown_key",
            "id"
        )
        for entry in entries {
            table.add(
                entry.seal.map { .integer($0.number) } ?? .absent,
                .moment(entry.at),
                .text(entry.actorKind),
                .text(AuditPresenter.way(of: entry)),
                .text(entry.actor),
                .text(entry.actorName ?? ""),
                .text(entry.origin ?? ""),
                .text(entry.act),
                .text(entry.subject),
                .text(entry.details),
                .text(entry.request ?? ""),
                .text(entry.shownKey ?? ""),
                .text(entry.id)
            )
        }
        output.write(table, json: .array(entries.map(AuditPresenter.json)))
    }
}

extension AuditAct: ExpressibleByArgument {
    /// An act that is typed; nil for one that there is not.
    public init?(argument: String) { self.init(rawValue: argument) }
}

extension AuditHead: ExpressibleByArgument {
    /// A head that is typed; nil for anything else.
    public init?(argument: String) { self.init(argument) }
}

/// `tributary audit verify`.
struct VerifyAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Hold every entry of the trail to the one before, from the first on.",
        discussion: """
            Seals what is not sealed yet first. That entries were cut off at the end, or all of them written anew, shows
            only against what somebody keeps elsewhere: a head that was shown here earlier, or an export.
            Exits 4 if the trail is not what it was.

            Example:
              tributary audit verify --from-export audit-2026-10.jsonl
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("A head that was shown earlier, as NUMBER:HASH; may be repeated.", valueName: "head")
    )
    var head: [AuditHead] = []

    @Option(
        name: .long,
        help: ArgumentHelp("An earlier export, which is held to itself too.", valueName: "file"),
        completion: .file()
    )
    var fromExport: String?

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        var heads = head
        if let fromExport { heads.append(try Self.head(ofExport: fromExport)) }
        let (owner, result) = try await DatabaseUse.looking.open(database.settings()) { [marketplace, heads] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            try await AuditSealer.seal(owner, in: database)
            return (owner, try await AuditTrail(of: owner, in: database).verify(having: heads))
        }
        var table = Table("marketplace", "entries", "head", "unsealed", "oldest_unsealed")
        table.add(
            .text(owner),
            .integer(result.count),
            .text(result.head.description),
            .integer(result.unsealed.count),
            .moment(result.unsealed.oldest)
        )
        output.write(table)
        guard result.findings.isEmpty else {
            throw CommandFailure.brokenBooks(result.findings.map(\.description).joined(separator: "\n"))
        }
    }

    /// The head of an export, whose lines have to follow one another.
    private static func head(ofExport path: String) throws -> AuditHead {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure.unusable("the file \(path.harmless) cannot be read")
        }
        var reader = AuditExportReader()
        var (rest, count) = ([UInt8](), 0)
        func take(_ line: [UInt8]) throws {
            count += 1
            guard reader.take(line) else {
                throw CommandFailure.brokenBooks(
                    "the line \(count) of \(path.harmless) does not follow the one before, or was changed"
                )
            }
        }
        while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
            rest += chunk
            var start = 0
            while let end = rest[start...].firstIndex(of: 0x0A) {
                try take(Array(rest[start..<end]))
                start = end + 1
            }
            rest.removeFirst(start)
        }
        if !rest.isEmpty { try take(rest) }
        return reader.head
    }
}

/// `tributary audit export`.
struct ExportAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write out the whole trail, a line of JSON for each entry, to be kept elsewhere.",
        discussion: """
            Seals what is not sealed yet first. Each line has the number, the hash before, the hash, and the text that the
            hash is over, so that whoever has the file can verify it without Tributary.

            Example:
              tributary audit export > audit-2026-11.jsonl
            """
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let head = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            try await AuditSealer.seal(owner, in: database)
            return try await AuditTrail(of: owner, in: database).export { line in Console.out(line) }
        }
        Console.note("The trail ends with \(head); keep that, and ask `audit verify --head` for it.")
    }
}
