/// Rules of how an order changes.
enum WritePathRules {
    /// The file in which orders are written down and changed.
    static let log = "Sources/Gateway/Orders/OrderLog.swift"
    /// The file that has the statements.
    static let writer = "Sources/Storage/Orders/OrderWriter.swift"

    /// A second place that stores an order.
    static func secondWriter(_ source: SwiftSource) -> [Finding] {
        guard source.path != log, source.path != writer else { return [] }
        return source.findings("stores an order beside the log") { line in
            line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains("OrderWriter")
        }
    }

    /// How often a file changes a stored order.
    static func updates(_ source: SwiftSource) -> Int {
        source.code.count { $0.contains("OrderWriter.update(") }
    }
}
