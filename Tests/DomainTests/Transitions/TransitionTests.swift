import Domain
import Foundation
import Testing

/// A table of what orders can be told wherever they stand, every cell of which is taken or refused.
///
/// `TRIBUTARY_TRANSITIONS` says of how many orders of each standing a walk goes on (6 unless told otherwise).
@Suite("What an order can be told, wherever it stands", .timeLimit(.minutes(10)))
struct TransitionTests {
    /// Where walks begin: each policy and way to capture, other routes, and what a captured order does.
    private static let checkouts: [Checkout] = [
        Checkout(), Checkout(policy: .bestEffort, onDeadline: .continue), Checkout(capture: .manual),
        Checkout(policy: .bestEffort, capture: .manual), Checkout(onCaptureFailure: .compensate),
        Checkout(
            policy: .minimum(200),
            capture: .manual,
            alternatives: [RouteSnapshot(psp: "stripe", pspAccount: "stripe-main", settlesTo: .merchant)],
            reroute: .ifRefused
        ),
    ]

    /// All that the walks from the checkouts found, once for both tests.
    private static let walk = Task { try await walkFromAll() }

    private static func walkFromAll() async throws -> TransitionWalk {
        let width = ProcessInfo.processInfo.environment["TRIBUTARY_TRANSITIONS"].flatMap(Int.init) ?? 6
        return try await withThrowingTaskGroup(of: TransitionWalk.self) { group in
            for (number, checkout) in checkouts.enumerated() {
                group.addTask { try TransitionWalk(from: checkout, width: width, seed: UInt64(number + 1)) }
            }
            group.addTask { try TransitionWalk(continuing: DeepLives.all(), width: width, seed: 0) }
            var all: TransitionWalk?
            for try await walk in group { if all == nil { all = walk } else { all?.add(walk) } }
            return try #require(all)
        }
    }

    @Test("is done where it is legal, refused where it is not, and breaks no rule anywhere")
    func table() async throws {
        let walk = try await Self.walk.value
        #expect(walk.complaints.isEmpty, "\(walk.complaints.prefix(5).joined(separator: "\n"))")
        let (legal, illegal) = (
            TransitionTable.cells.filter(TransitionTable.isLegal),
            TransitionTable.cells.filter { !TransitionTable.isLegal($0) }
        )
        let holes = legal.filter { walk.taken[$0] == nil }
        #expect(holes.isEmpty, "legal, and never taken: \(holes)")
        let wrongly = illegal.compactMap { cell in walk.taken[cell].map { "\(cell) by \($0.joined(separator: "; "))" } }
        #expect(wrongly.isEmpty, "taken, and not legal:\n\(wrongly.joined(separator: "\n"))")
        let untried = illegal.filter { !walk.refused.contains($0) }
        #expect(untried.isEmpty, "not legal, and never refused: \(untried)")
        let unknown = Set(walk.taken.keys.map(\.standing)).subtracting(TransitionTable.standings)
        #expect(unknown.isEmpty, "where no order can stand: \(unknown)")
    }

    @Test("has each decision follow those that it may follow, and no other")
    func decisions() async throws {
        let legal: Set<[Decision.State]> = [
            [.pending, .cleared], [.pending, .accepted], [.pending, .refused], [.cleared, .accepted],
            [.cleared, .refused], [.accepted, .canceled],
        ]
        let changes = try await Self.walk.value.decisions.filter { $0[0] != $0[1] }
        #expect(changes == legal)
    }
}
