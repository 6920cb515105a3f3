import ArgumentParser

/// `tributary orders`.
struct Orders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, find and explain orders, and act on them.",
        subcommands: [
            ListOrders.self, FindOrders.self, ShowOrder.self, OrderEvents.self, CaptureOrder.self, CancelOrder.self,
            RefundOrder.self, ResolveOperation.self, ProveOrder.self,
        ]
    )
}
