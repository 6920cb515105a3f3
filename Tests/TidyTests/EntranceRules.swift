/// Rules of the places where text from outside comes in.
///
/// Swift compares, hashes and searches text in a time that grows with the square of a run of combining marks, so that
/// text is bounded where it is made of bytes.
enum EntranceRules {
    /// The folders in which validated bytes are somebody else's.
    static let folders = ["Sources/HTTPAPI/", "Sources/AdapterKit/Settlement/", "Sources/StatementFiles/"]
    /// The folder in which JSON is a request's body.
    static let bodies = "Sources/HTTPAPI/Server/"

    /// Text made of somebody else's bytes that is not bounded on the spot.
    static func unboundedText(_ source: SwiftSource) -> [Finding] {
        guard folders.contains(where: source.path.hasPrefix) else { return [] }
        return source.findings("reads text without bounding its runs of combining marks") { line in
            ["String(validating:", "String(copying:"].contains { line.contains($0) }
                && !["withBoundedRuns", "hasLongCombiningRun"].contains { line.contains($0) }
        }
    }

    /// A body that is parsed without refusing long runs.
    static func lenientBody(_ source: SwiftSource) -> [Finding] {
        guard source.path.hasPrefix(bodies) else { return [] }
        return source.findings("takes a body with runs of combining marks") { line in
            line.contains("JSON.parse(") && !line.contains("runs: .refused")
        }
    }
}
