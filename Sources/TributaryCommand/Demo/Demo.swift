import ArgumentParser
import Logging
import Settings
import StrictJSON
import Synchronization

/// `tributary demo`.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See split orders succeed, partly succeed, be undone and be recovered, on this machine.",
        discussion: """
            Starts two PSP simulators and a gateway on free ports of this machine, with an embedded database in a
            temporary folder, and places five orders over HTTP. In the fourth a PSP falls silent after it acted; in
            the fifth the gateway is killed while its requests are out, and started again.

            Each order is shown with what the gateway wrote down and, beside it, what the PSPs wrote down themselves.
            Exits 1 if the two differ, or if an order did not end as it should. Everything it starts it stops.
            """
    )

    @Flag(name: .long, help: "Leave everything running afterwards, with requests to try, until interrupted.")
    var keep = false

    @OptionGroup var output: FormatOption

    func run() async throws {
        let hasPassed = Atomic(false)
        let story = InterruptibleService { [keep, output] in
            try await DemoStage.with { stage in
                let result = try await DemoStory(stage, output: output).tell()
                hasPassed.store(result, ordering: .relaxed)
                guard keep else { return }
                Console.note(stage.invitation)
                try? await Task.sleep(for: .seconds(86_400 * 365))
            }
        }
        try await Services.run([story], logger: .standardError(.error))
        guard hasPassed.load(ordering: .relaxed) else { throw ExitCode(1) }
    }
}
