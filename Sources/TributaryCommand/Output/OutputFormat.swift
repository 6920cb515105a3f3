import ArgumentParser

/// How a command writes its data.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// Aligned columns for people; amounts in the currency's major unit.
    case table
    /// JSON; amounts as integers in minor units.
    case json
    /// Comma-separated values (RFC 4180); amounts as integers in minor units.
    case csv
}
