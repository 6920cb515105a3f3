import AdapterKit
import Domain
import Foundation
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A deliverer that is killed", .timeLimit(.minutes(10)))
struct KilledDelivererTests {
    /// No run has more boundaries of a kind.
    private static let limit = 100

    @Test(
        "at any boundary leaves others to deliver everything, under the same identifiers and with the same bodies",
        arguments: DatabaseEngine.allCases
    )
    func boundary(_ engine: DatabaseEngine) async throws {
        let stage = KillStage(engine: engine)
        try #require(try await !stage.run(nil).died)
        let runs = try await withThrowingTaskGroup(of: (CrashPoint.Moment, [KillStage.Result]).self) { group in
            for moment in CrashPoint.Moment.allCases {
                group.addTask { (moment, try await Self.dieEverywhere(moment, stage)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        // Two transactions for each endpoint's round, and one for cleaning; a send for each callback but one.
        #expect(runs[.beforeCommit, default: []].count >= 7)
        #expect(runs[.afterCommit, default: []].count >= 7)
        #expect(runs[.beforeSend, default: []].count >= 6)
        #expect(runs[.afterSend, default: []].count >= 6)
        #expect(runs[.beforeSend, default: []].contains { !$0.hadUnrecorded })
        #expect(runs[.afterSend, default: []].contains { $0.hadUnrecorded })
        #expect(runs[.afterSend, default: []].contains { $0.hadGoneUnrecorded }, "it died while disabling")
        #expect(runs[.beforeCommit, default: []].contains { $0.hadGoneUnrecorded }, "it died while disabling")
    }

    @Test(
        "again and again, at any moment, while another goes on where the database can be shared",
        arguments: DatabaseEngine.allCases
    )
    func moments(_ engine: DatabaseEngine) async throws {
        let server = try ScriptedServer(each: .readRequest, .pause(milliseconds: 3), .ok)
        defer { server.stop() }
        try await DatabaseLocation.with(engine, prepare: .travel) { location in
            try await Programs.with { programs in
                let crowd = KillCrowd(location: location, programs: programs, server: server)
                let written = try await crowd.run(kills: Self.kills, atOnce: engine == .sqlite ? 1 : 2)
                let key = try #require(StandardWebhooks.key(Secret(Hooks.secret)))
                let received = ReceivedCallbacks(requests: server.requests)
                #expect(received.complaints(against: written, key: key) == [])
            }
        }
    }

    /// How many deliverers are killed at moments of chance: a few, or as many as `TRIBUTARY_CALLBACK_KILLS` says.
    private static var kills: Int {
        ProcessInfo.processInfo.environment["TRIBUTARY_CALLBACK_KILLS"].flatMap { Int($0) } ?? 8
    }

    /// Dies at the first place of a kind, in another run at the second, and so on until a run gets through; answers
    /// what came of those that died.
    private static func dieEverywhere(
        _ moment: CrashPoint.Moment,
        _ stage: KillStage
    ) async throws -> [KillStage.Result] {
        var results: [KillStage.Result] = []
        for number in 1...limit {
            let result = try await stage.run(CrashPoint(moment: moment, number: number))
            guard result.died else { return results }
            results.append(result)
        }
        Issue.record("the run never came to its end")
        return results
    }
}
