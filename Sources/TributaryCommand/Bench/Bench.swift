import ArgumentParser

/// `tributary bench`: the measurements of this build on this machine, as ratios within one run.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure, as ratios within one run on this machine.",
        subcommands: [BenchOrders.self, BenchTokens.self, BenchCallbacks.self, BenchReconcile.self, BenchOverload.self]
    )
}
