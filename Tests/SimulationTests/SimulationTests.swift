import AdapterKit
import Foundation
import Gateway
import SimulatorAdapter
import Testing
import TributaryTestKit

/// Orders, PSPs, instances and time go the way a seed says.
///
/// What a seed determines is what happens and in which order; how tasks that run at the same moment interleave is up
/// to the machine. `TRIBUTARY_SEEDS` says how many seeds to try, `TRIBUTARY_FIRST_SEED` where to begin.
@Suite("Simulated marketplaces", .timeLimit(.minutes(60)))
struct SimulationTests {
    private static let steps = 60

    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["TRIBUTARY_FIRST_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["TRIBUTARY_SEEDS"].flatMap(UInt64.init) ?? 4
        return Array(first..<first + count)
    }()

    @Test(
        "keep every rule after every step, and come to rest with books that agree",
        arguments: seeds,
        PSPKind.allCases
    )
    func simulation(_ seed: UInt64, psp: PSPKind) async throws {
        try await GatewayHarness.with(
            .sqlite,
            clock: ManualClock(),
            settings: GatewaySettings(),
            adapter: psp.adapter,
            keys: psp.keys,
            visibilityMilliseconds: psp == .keyless ? LateAdapter.visibilityMilliseconds : 0
        ) { harness in
            var world = World(harness, seed: seed)
            for step in 1...Self.steps {
                try await world.step()
                let complaints = try await world.complaints()
                let story = world.story.suffix(12).joined(separator: "\n")
                try #require(complaints == [], "seed \(seed), step \(step):\n\(story)")
            }
            let complaints = try await world.heal()
            #expect(complaints == [], "seed \(seed):\n\(world.story.joined(separator: "\n"))")
        }
    }

    /// What a simulated PSP does with requests that are sent again.
    enum PSPKind: Sendable, CaseIterable {
        /// Its keys keep what became of a request.
        case keepingOutcomes
        /// Its keys keep every answer, its own errors included.
        case keepingAll
        /// Its keys keep successes only.
        case keepingSuccesses
        /// It knows no keys, and its inquiries are half an hour late.
        case keyless

        var keys: ScriptedKeys {
            switch self {
            case .keepingOutcomes: .outcomes
            case .keepingAll: .all
            case .keepingSuccesses: .successes
            case .keyless: .none
            }
        }

        var adapter: any PaymentAdapter.Type {
            switch self {
            case .keepingOutcomes: SimulatorAdapter.self
            case .keepingAll: UnforgivingAdapter.self
            case .keepingSuccesses: ForgetfulAdapter.self
            case .keyless: LateAdapter.self
            }
        }
    }
}
