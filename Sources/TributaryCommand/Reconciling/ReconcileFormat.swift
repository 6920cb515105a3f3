import ArgumentParser

/// How a reconciliation is written.
enum ReconcileFormat: String, CaseIterable, ExpressibleByArgument {
    /// Aligned columns for people; at most a thousand breaks.
    case table
    /// One JSON object; amounts as integers in minor units.
    case json
    /// A JSON object a line: inputs, breaks, the summary.
    case jsonl
    /// The breaks as comma-separated values (RFC 4180).
    case csv
}
