/// Bounds of the time limits that a request may name.
enum TimeLimits {
    /// No call takes longer than a day; libcurl's own counter of milliseconds ends at 49 days.
    static let ceilingMilliseconds = 86_400_000

    /// libcurl takes zero for "no limit", which no request gets.
    static func clamped(_ milliseconds: Int) -> Int { min(max(1, milliseconds), ceilingMilliseconds) }
}
