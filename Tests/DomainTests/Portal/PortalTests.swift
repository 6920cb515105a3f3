import Domain
import Testing

/// What somebody does in a PSP's portal while we ask for the same, told and answered in every order.
///
/// `TRIBUTARY_SEEDS` is the number of seeds (500 for each kind of PSP unless told otherwise) and `TRIBUTARY_SEED` replays one.
@Suite("Order machine beside a PSP's portal")
struct PortalTests {
    @Test("comes to rest where the PSP is, once everything is told", arguments: PortalManner.all)
    func comesToRest(_ manner: PortalManner) throws {
        var failing: [String] = []
        for seed in Seeds.lane(0, of: 1, count: 500) {
            var world = try PortalWorld(seed: seed, manner)
            let complaints = world.run()
            guard !complaints.isEmpty else { continue }
            failing.append("TRIBUTARY_SEED=\(seed): \(complaints)")
            if failing.count == 1 { Issue.record("\(failing[0])\n\(world.trace.joined(separator: "\n"))") }
        }
        #expect(failing.isEmpty, "\(failing.count) seeds fail: \(failing.prefix(20).joined(separator: "\n"))")
    }
}
