import ArgumentParser
import Domain
import Logging
import PSPSimulator
import SQL
import Settings
import Storage
import StrictJSON
import Synchronization

/// `tributary demo`.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See split orders succeed, partly succeed, be undone and be recovered, on this machine.",
        discussion: """
            Starts two PSP simulators and a gateway on free ports of this machine, with an embedded database in a
            temporary folder, and places six orders over HTTP. In the fourth a PSP falls silent after it acted; in the
            fifth the gateway is killed while its requests are out, and started again; the sixth is followed in Wallet by
            a device that is pushed.

            Each order is shown with what the gateway wrote down and, beside it, what the PSPs wrote down themselves.
            Exits 1 if the two differ, or if an order did not end as it should. Everything it starts it stops.
            """
    )

    @Flag(
        name: .long,
        help: "Leave everything running afterwards, with a checkout page and requests to try, until interrupted."
    )
    var keep = false

    @OptionGroup var output: FormatOption

    func run() async throws {
        let hasPassed = Atomic(false)
        let story = InterruptibleService("demo") { [keep, output] in
            try await DemoStage.with { stage in
                let result = try await DemoStory(stage, output: output).tell()
                hasPassed.store(result, ordering: .relaxed)
                guard keep else { return }
                try await stage.withShop { shopURL in
                    Console.note(stage.invitation(to: shopURL))
                    try? await Task.sleep(for: .seconds(86_400 * 365))
                }
            }
        }
        try await Services.run([story], logger: .standardError(.error))
        guard hasPassed.load(ordering: .relaxed) else { throw ExitCode(1) }
    }
}

/// Plays the scenarios one after the other and tells of each.
private struct DemoStory {
    private static let timeLimit = Duration.seconds(20)
    private static let pollInterval = Duration.milliseconds(25)

    private let stage: DemoStage
    private let output: FormatOption

    /// A story on a stage that is set.
    init(_ stage: DemoStage, output: FormatOption) {
        self.stage = stage
        self.output = output
    }

    /// Plays all of it.
    ///
    /// - Returns: whether the books agree and every order ended as it should.
    /// - Throws: ``CommandFailure`` if the gateway or a PSP does not answer.
    func tell() async throws -> Bool {
        var told: [(scenario: DemoScenario, order: JSON)] = []
        let count = DemoScenario.allCases.count + 1
        for (number, scenario) in DemoScenario.allCases.enumerated() {
            Console.note("\(number + 1)/\(count) \(scenario.title)")
            let order = try await play(scenario)
            told.append((scenario, order))
            if output.format == .table { try await show(scenario, order, number: number + 1) }
        }
        Console.note("\(count)/\(count) \(DemoFollowing.title)")
        let followed = try await DemoFollowing(stage).play()
        if output.format == .table {
            Console.out("\(count). \(DemoFollowing.title)\n\n\(DemoFollowing.table(followed.chapters).text)\n")
        }
        let orders = told.map(\.order) + [followed.order]
        let comparison = try await compare(orders.compactMap(Self.id))
        let missing = DemoFollowing.problem(in: followed.chapters)
        if let missing { Console.note(missing) }
        let surprises = told.filter { $0.order["status"]?.stringValue != $0.scenario.ending }
        for surprise in surprises {
            Console.note("\(surprise.scenario.rawValue) should have ended as \(surprise.scenario.ending)")
        }
        let entries = told.map {
            JSON.object([.init("scenario", .string($0.scenario.rawValue)), .init("order", $0.order)])
        }
        let last: JSON = [
            "scenario": "followed", "order": followed.order, "wallet": DemoFollowing.json(followed.chapters),
        ]
        conclude(comparison, entries + [last])
        return comparison.agrees && surprises.isEmpty && missing == nil
    }

    /// Places the order and waits for its end.
    private func play(_ scenario: DemoScenario) async throws -> JSON {
        let key = "demo-" + scenario.rawValue
        let answer: JSON?
        switch scenario {
        case .paidInFull, .partlyPaid, .compensated, .pspTimeout:
            answer = try await stage.checkout.place(scenario.order, key: key)
        case .gatewayKilled:
            answer = try await placeAndKill(scenario, key: key)
        }
        guard let answer, let id = answer["id"]?.stringValue else {
            try Task.checkCancellation()
            throw CommandFailure.finding("the gateway did not answer")
        }
        let end = ContinuousClock.now + Self.timeLimit
        var order = answer
        while order["status"]?.stringValue != scenario.ending, .now < end {
            try await Task.sleep(for: Self.pollInterval)
            order = try await stage.checkout.order(id)
        }
        return order
    }

    /// Kills the gateway as soon as the PSPs have acted on all of the order, starts it again, and asks again under the
    /// same key, as a checkout does that got no answer.
    private func placeAndKill(_ scenario: DemoScenario, key: String) async throws -> JSON? {
        let expected = try await authorizations() + scenario.authorizations
        async let unanswered = stage.checkout.place(scenario.order, key: key)
        let end = ContinuousClock.now + Self.timeLimit
        while try await authorizations() < expected {
            guard .now < end else { throw CommandFailure.finding("the order did not reach its PSPs") }
            try await Task.sleep(for: Self.pollInterval)
        }
        let number = await stage.gateway.kill()
        Console.note("    killed the gateway (process \(number)); its PSPs have acted, nobody has heard their answers")
        let answer = try await unanswered
        Console.note(answer == nil ? "    the checkout got no answer" : "    the checkout had its answer already")
        try await stage.gateway.start()
        Console.note("    started it again; the checkout asks again under the same idempotency key")
        return try await stage.checkout.place(scenario.order, key: key)
    }

    /// How many authorizations the PSPs have in their books.
    private func authorizations() async throws -> Int {
        try await books().values.reduce(0) { $0 + $1.authorizations.count }
    }

    private func books() async throws -> [String: PSPBooks] {
        var books: [String: PSPBooks] = [:]
        for (psp, simulator) in stage.simulators {
            let json = try await stage.checkout.books(at: simulator.baseURL)
            books[psp.rawValue] = try PSPBooks(json, account: psp.rawValue)
        }
        return books
    }

    /// Reads the orders as the gateway wrote them down, and the PSPs' books.
    private func compare(_ ids: [OrderID]) async throws -> BooksComparison {
        let orders = try await DatabaseUse.looking.open(stage.folder.settings) { database in
            try await database.read { session in try OrderReader.load(ids, in: session) }
        }
        return BooksComparison(orders, try await books())
    }

    private func show(_ scenario: DemoScenario, _ order: JSON, number: Int) async throws {
        let comparison = try await compare([order].compactMap(Self.id))
        let status = order["status"]?.stringValue ?? ""
        let decision = order["decision"]?.stringValue ?? ""
        Console.out(
            """
            \(number). \(scenario.title)
            \(order["id"]?.stringValue ?? "") \(status), \(decision) (\(order["decision_reason"]?.stringValue ?? ""))

            \(comparison.table.text)

            """
        )
    }

    private func conclude(_ comparison: BooksComparison, _ orders: [JSON]) {
        switch output.format {
        case .json:
            Console.out(
                JSON.object([.init("orders", .array(orders)), .init("books_agree", .bool(comparison.agrees))])
                    .prettyText
            )
        case .csv: output.write(comparison.table)
        case .table:
            for stranger in comparison.strangers { Console.out("Only the PSP knows of \(stranger).") }
            for violation in comparison.violations { Console.out("A PSP noticed: \(violation.harmless)") }
            Console.out(
                comparison.agrees
                    ? "The gateway's books and the PSPs' own agree: \(comparison.lines.count) payments, to the cent."
                    : "The gateway's books and the PSPs' own DIFFER: \(comparison.differences) of "
                        + "\(comparison.lines.count) payments."
            )
        }
    }

    private static func id(of order: JSON) -> OrderID? { order["id"]?.stringValue.flatMap { OrderID($0) } }
}
