import ArgumentParser
import Domain
import Gateway
import Keyring
import SQL
import Settings
import Storage
import StrictJSON
import Wiring

/// `tributary keyring`.
struct KeyringCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyring",
        abstract: "See what needs which key of the keyring, and put everything under the current one.",
        subcommands: [ShowKeyring.self, RotateKeyring.self]
    )
}

/// `tributary keyring status`.
struct ShowKeyring: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how much of what is stored is sealed with which key.",
        discussion: """
            Run it with the server's settings. A key that is not the current one and seals nothing can be taken out of the
            settings. Exits 1 while anything needs another key than the current one.
            """
    )

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let ring = RingKeys(try Keyring(settings))
        let status = try await DatabaseUse.looking.open(settings) { database in
            let now = Timestamp(microseconds: try await database.now())
            return try await KeyringRotation(database, ring).status(at: now)
        }
        status.write(to: output)
        guard status.left == 0 else { throw ExitCode(1) }
    }
}

/// `tributary keyring rotate`.
struct RotateKeyring: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Put everything that is stored sealed under the current key.",
        discussion: """
            Make the new key the current one in the settings, leave the old one beside it, and restart every server first;
            then run this with the same settings, while they serve. It changes at most 100 rows in one transaction, passes
            over what somebody changes meanwhile, and may be stopped and run again. Exits 1 while something is left, as
            `keyring status` says then.

            Example:
              tributary keyring rotate && tributary keyring status
            """
    )

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let keyring = try Keyring(settings)
        let (result, status) = try await DatabaseUse.looking.open(settings) { database in
            try await keyring.begin(on: database, settings)
            let rotation = KeyringRotation(database, RingKeys(keyring))
            let now = Timestamp(microseconds: try await database.now())
            let left = try await rotation.status(at: now).left
            if left > 0 { try await rotation.record(by: .commandLine, at: now) }
            var progress = RotationProgress(total: Int(left))
            let result = try await rotation.run(at: now) { progress.advance(by: $0) }
            progress.hide()
            return (result, try await rotation.status(at: now))
        }
        status.write(to: output)
        Console.note("sealed \(result.resealed) anew under \(keyring.current)")
        if result.unreadable > 0 {
            Console.note("\(result.unreadable) cannot be opened with the keyring as it is, and were left as they are")
        }
        guard status.left == 0 else { throw ExitCode(1) }
    }
}

/// How far a rotation has come, and how fast it goes, on a terminal.
private struct RotationProgress {
    private var bar = ProgressBar("sealed anew")
    private var done = 0
    private let started = ContinuousClock.now

    init(total: Int) { bar.total = total }

    mutating func advance(by count: Int) {
        done += count
        bar.advance(by: count)
    }

    /// Takes the bar off, and says the rate where anybody saw it.
    mutating func hide() {
        bar.hide()
        guard bar.isShown, done > 0 else { return }
        let rate = Double(done) / max((ContinuousClock.now - started) / .seconds(1), 0.001)
        Console.note("\(Int(rate)) a second")
    }
}

extension KeyringStatus {
    /// Writes a row for each key, and in words what can be done.
    fileprivate func write(to output: FormatOption) {
        var table = Table(columns: ["key", "state"] + SealedKind.allCases.map(\.rawValue))
        for line in lines {
            table.add(
                [.text(line.key), .text(line.state)] + SealedKind.allCases.map { .integer(line.counts[$0] ?? 0) }
            )
        }
        output.write(table)
        for key in removable { Console.note("\(key) can be taken out of the keyring: nothing needs it") }
        guard left > 0 else { return }
        Console.note("\(left) still sealed with another key than the current one; run `tributary keyring rotate`")
    }
}

extension KeyringStatus.Line {
    /// What the key is to the ring, in a word.
    fileprivate var state: String {
        if isCurrent { return "current" }
        guard isInRing else { return "missing" }
        return total > 0 ? "needed" : "removable"
    }
}

extension Keyring {
    /// Makes sure that the ring is the one that a database was used with, and answers what bodies are hashed with.
    ///
    /// - Throws: `KeyringRefusal` if it is not, or `SQLError`.
    @discardableResult
    func begin(on database: any Database, _ settings: ServerSettings) async throws -> Fingerprints {
        let check = KeyringCheck(database, RingKeys(self), acceptingLost: settings.keyring?.lost ?? [])
        return try Fingerprints(
            key: try await check.begin(at: Timestamp(microseconds: try await database.now()))
        )
    }
}
