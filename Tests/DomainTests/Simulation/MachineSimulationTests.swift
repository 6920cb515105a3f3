import Domain
import Testing

/// Random orders at a random PSP over a bad network, on virtual time.
///
/// `TRIBUTARY_SEEDS` is the number of seeds (2,000 unless told otherwise) and `TRIBUTARY_SEED` replays one.
@Suite("Order machine under simulation")
struct MachineSimulationTests {
    private static let lanes = 4

    @Test("keeps every rule after every step, and comes to rest where the PSP is", arguments: 0..<lanes)
    func keepsEveryRule(_ lane: Int) throws {
        for seed in Seeds.lane(lane, of: Self.lanes, count: 2000) {
            var world = try World(seed: seed)
            let complaints = world.run()
            guard complaints.isEmpty else {
                var replay = try World(seed: seed, isTraced: true)
                _ = replay.run()
                let story = replay.trace.suffix(60).joined(separator: "\n")
                Issue.record("replay with TRIBUTARY_SEED=\(seed): step \(world.steps): \(complaints)\n\(story)")
                return
            }
        }
    }

    @Test("meets every status, every kind of operation and every reason for attention")
    func meetsEverything() throws {
        var statuses: Set<OrderStatus> = []
        var kinds: Set<Operation.Kind> = []
        var reasons: Set<Decision.Reason> = []
        var attention: Set<Attention.Reason> = []
        for seed in 0..<300 as Range<UInt64> {
            var world = try World(seed: seed)
            _ = world.run()
            statuses.insert(world.order.status)
            kinds.formUnion(world.order.payments.flatMap(\.attempt.operations).map(\.kind))
            if let reason = world.order.decision.reason { reasons.insert(reason) }
            attention.formUnion(world.order.attention.map(\.reason))
        }
        #expect(statuses.isSuperset(of: [.failed, .canceled, .paid, .partiallyPaid, .partiallyRefunded, .refunded]))
        #expect(kinds == [.authorize, .capture, .void, .refund, .reverse])
        #expect(
            reasons == [
                .policySatisfied, .policySatisfiedInTime, .policyUnsatisfiable, .deadline, .decideBy, .captureFailed,
                .expired, .requested,
            ]
        )
        #expect(attention.isSuperset(of: [.captureFailed, .successAfterRefusal, .amountMismatch, .refundFailed]))
    }
}
