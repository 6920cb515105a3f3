/// How much the server says, from everything to almost nothing; the names are swift-log's.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
    /// Everything.
    case trace
    /// What helps to find a fault.
    case debug
    /// What happens.
    case info
    /// What is unusual but expected.
    case notice
    /// What may become a fault.
    case warning
    /// What failed.
    case error
    /// What needs a person now.
    case critical
}
