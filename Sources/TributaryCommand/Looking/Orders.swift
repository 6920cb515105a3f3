import ArgumentParser

/// `tributary orders`.
struct Orders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, find and explain orders.",
        subcommands: [ListOrders.self, FindOrders.self, ShowOrder.self, OrderEvents.self]
    )
}
