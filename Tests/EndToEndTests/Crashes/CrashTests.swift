import Domain
import PSPSimulator
import Testing
import TributaryTestKit

@Suite("A gateway that is killed", .timeLimit(.minutes(10)))
struct CrashTests {
    /// No order of these tests has more boundaries of a kind.
    private static let limit = 200

    @Test(
        "at any boundary of the journal leaves an order that others bring to the same end, with each effect once",
        arguments: CrashScenario.chosen,
        DatabaseEngine.allCases
    )
    func boundary(_ scenario: CrashScenario, _ engine: DatabaseEngine) async throws {
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await BazaarDatabase.with(engine, of: bazaar) { databases in
                let stage = CrashStage(
                    scenario: scenario,
                    bazaar: bazaar,
                    simulators: simulators,
                    databases: databases
                )
                let undisturbed = try await stage.run(nil)
                try #require(!undisturbed.died)
                #expect(undisturbed.summary.status.rawValue == scenario.status)
                let deaths = try await withThrowingTaskGroup(of: (CrashPoint.Moment, Int).self) { group in
                    for moment in CrashPoint.Moment.allCases {
                        group.addTask {
                            (moment, try await Self.dieEverywhere(moment, stage, undisturbed.summary))
                        }
                    }
                    return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                }
                let parts = scenario.basket.items.count
                #expect(deaths[.beforeCommit, default: 0] >= 2)
                #expect(deaths[.afterCommit, default: 0] >= 2)
                #expect(deaths[.beforeSend, default: 0] >= parts)
                #expect(deaths[.afterSend, default: 0] >= parts)
            }
        }
    }

    /// Dies at the first place of a kind, in another run at the second, and so on until a run gets through; answers
    /// how many places there were.
    private static func dieEverywhere(
        _ moment: CrashPoint.Moment,
        _ stage: CrashStage,
        _ undisturbed: OrderSummary
    ) async throws -> Int {
        for number in 1...limit {
            let point = CrashPoint(moment: moment, number: number)
            let result: CrashStage.Result
            do { result = try await stage.run(point) } catch {
                Issue.record("died \(point)")
                throw error
            }
            if stage.scenario.hasDetours {
                #expect(result.summary.withoutDetours == undisturbed.withoutDetours, "died \(point)")
            } else {
                #expect(result.summary == undisturbed, "died \(point)")
            }
            if !result.died { return number - 1 }
        }
        Issue.record("the run never came to its end")
        return limit
    }
}
