import Simulation
import Testing
import TributaryTestKit

/// Orders, PSP, portal, network, instances and time go the way a seed says.
///
/// What a seed determines is what happens and in which order; how tasks that run at the same moment interleave is up
/// to the machine. See CONTRIBUTING.md for the variables that ask for more.
@Suite("A random walk", .timeLimit(.minutes(60)))
struct WalkTests {
    /// How many walks that fail are enough.
    private static let enough = 3

    @Test(
        "comes to rest with books that equal the PSP's, or with a word to a person about each difference",
        arguments: PSPTwin.all.indices
    )
    func walk(place: Int) async throws {
        var failures = 0
        for seed in WalkSeed.all(at: place) where failures < Self.enough {
            try await WalkStage.with(seed) { stage in
                var walk = Walk(stage, seed)
                let result: Result<[String], any Error>
                do { result = .success(try await walk.walk()) } catch { result = .failure(error) }
                await walk.bury()
                let complaints = try result.get()
                guard !complaints.isEmpty else { return }
                failures += 1
                let story = walk.story.map { "  \($0)" }.joined(separator: "\n")
                Issue.record(
                    "\(stage.twin) on \(seed.engine), \(seed)\n\(complaints.joined(separator: "\n"))\n\(story)"
                )
            }
        }
    }
}
