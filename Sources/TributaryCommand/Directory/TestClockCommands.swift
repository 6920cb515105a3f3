import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import SQL
import StrictJSON
import TributaryClient

/// `tributary test-clock`.
struct TestClockCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-clock",
        abstract: "Show the clock of a marketplace, and move that of a test marketplace forward.",
        subcommands: [ShowTestClock.self, AdvanceTestClock.self]
    )
}

/// `tributary test-clock show`.
struct ShowTestClock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what time it is in a marketplace."
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let reading = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            return try await TestClocks(database: database, clock: DatabaseClock(database)).reading(of: owner)
        }
        let document = TestClockPresenter.json(reading)
        output.write(Table(clock: document), json: document)
    }
}

/// `tributary test-clock advance`.
struct AdvanceTestClock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Move the clock of a test marketplace forward.",
        discussion: """
            What is due by then is done by the server within seconds. A clock is never moved backwards, and is at most ten
            years ahead of the real time. A live marketplace's clock is the real time.

            Examples:
              tributary test-clock advance --by-seconds 604800
              tributary test-clock advance --to 2027-02-01T00:30:00Z
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("What it is to show, as 2026-11-21T07:40:09Z.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var to: Timestamp?

    @Option(name: .long, help: ArgumentHelp("By how many seconds, from 1.", valueName: "seconds"))
    var bySeconds: Int64?

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func validate() throws { _ = try advance() }

    func run() async throws {
        let advance = try advance()
        let reading = try await acting.act(in: marketplace) { settings in
            try await DatabaseUse.looking.open(settings) { [marketplace] database in
                let owner = try await database.read { session in try marketplace.choose(in: session) }
                let clocks = try await TestClocks(database: database, clock: DatabaseClock(database))
                return TestClockPresenter.json(try await clocks.advance(owner, advance, by: .commandLine))
            }
        } remotely: { server in
            let body: JSON =
                switch advance {
                case .to(let time): ["to": .string(time.description)]
                case .bySeconds(let seconds): ["by_seconds": .integer(seconds)]
                }
            return try await server.post("/v1/test-clock/advance", body) { problem in
                problem.code == "not_in_live_mode" ? CommandFailure(TestClockRefusal.liveMarketplace) : nil
            }.json
        }
        output.write(Table(clock: reading), json: reading)
    }

    private func advance() throws -> TestClocks.Advance {
        switch (to, bySeconds) {
        case (let time?, nil): return .to(time)
        case (nil, let seconds?) where (1...MarketplaceClock.limitSeconds).contains(seconds): return .bySeconds(seconds)
        case (nil, .some):
            throw ValidationError("--by-seconds is from 1 to \(MarketplaceClock.limitSeconds)")
        default: throw ValidationError("say --to or --by-seconds")
        }
    }
}

extension Table {
    /// What a clock shows, in a line.
    fileprivate init(clock reading: JSON) {
        self.init("mode", "now", "real_now", "ahead_seconds")
        let mode: MarketplaceMode = reading["livemode"]?.boolValue == true ? .live : .test
        add(
            .text(mode.rawValue),
            .moment(of: reading["now"]),
            .moment(of: reading["real_now"]),
            .integer(of: reading["ahead_seconds"])
        )
    }
}

extension CommandFailure {
    /// Says why a clock is not moved.
    init(_ refusal: TestClockRefusal) {
        switch refusal {
        case .liveMarketplace: self = .unusable("the marketplace is live: its clock is the real time")
        case .backwards(let shown):
            self = .unusable("the clock shows \(shown) already, and is never moved backwards")
        case .tooFar(let last): self = .unusable("the clock may show no later time than \(last)")
        }
    }
}
