import Synchronization

/// The regular expressions of schemas, each read once.
final class SchemaPatterns: Sendable {
    private let known = Mutex<[String: Regex<AnyRegexOutput>]>([:])

    /// Whether a text has a place that fits; nothing fits an expression that cannot be read.
    func fits(_ text: String, _ pattern: String) -> Bool {
        known.withLock { known in
            if known[pattern] == nil { known[pattern] = try? Regex(pattern) }
            return known[pattern].map { text.contains($0) } ?? false
        }
    }
}
