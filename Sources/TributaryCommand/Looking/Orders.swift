import ArgumentParser

/// `tributary orders`.
struct Orders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, find and explain orders, and act on them.",
        subcommands: [
            ListOrders.self, FindOrders.self, ShowOrder.self, OrderEvents.self, CaptureOrder.self, ReleaseOrder.self,
            CancelOrder.self, RefundOrder.self, ResolveOperation.self, RetryOperation.self, RecordDispute.self,
            RecordRefund.self, RecordCapture.self, RecordVoid.self, ProveOrder.self,
        ]
    )
}
