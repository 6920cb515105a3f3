/// Rules of the places where text from outside comes in.
///
/// Swift compares, hashes and searches text in a time that grows with the square of a run of combining marks, so that
/// text is bounded where it is made of bytes.
enum EntranceRules {
    /// The folders in which validated bytes are somebody else's.
    static let folders = ["Sources/HTTPAPI/", "Sources/AdapterKit/Settlement/", "Sources/StatementFiles/"]
    /// The folder in which JSON is a request's body.
    static let bodies = "Sources/HTTPAPI/HTTP/"

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

    /// The folders in which bytes are made text that Swift's own operations are used on.
    static let decodingFolders = folders + ["Sources/Reconciliation/"]

    /// Text that is decoded without bounding it on the spot, or taking no more than its beginning.
    static func decodedText(_ source: SwiftSource) -> [Finding] {
        guard decodingFolders.contains(where: source.path.hasPrefix) else { return [] }
        let isFine = ["withBoundedRuns", ".prefix(", ".prefix {"] + shortDecodings.flatMap(\.places)
        return source.findings("decodes text without bounding its runs of combining marks", besides: isFine) { line in
            line.contains("String(decoding:")
        }
    }

    /// What else may be decoded, and why.
    static let shortDecodings: [AllowedPlaces] = [
        AllowedPlaces("our own bytes", ["decoding: embedded, as", "decoding: bytes + [mark]"]),
        AllowedPlaces(
            "at most as many bytes as an identifier has",
            ["decoding: tag, as", "decoding: letters, as", "decoding: code, as"]
        ),
    ]

    // MARK: Comparison

    /// The folders in which whatever is compared has come from outside.
    static let comparingFolders = [
        "Sources/HTTPAPI/", "Sources/StrictJSON/", "Sources/StatementFiles/", "Sources/AdapterKit/Settlement/",
        "Sources/AdapterKit/Webhooks/",
    ]
    /// What the name of an adapter's file says that is read from outside.
    static let adapterParts = ["Webhooks", "Settlement", "XML"]
    /// Operations on text that cost the square of a run of combining marks, or lead to a comparison that does.
    static let comparisons = [".lowercased()", ".uppercased()", ".hasPrefix(", ".hasSuffix(", ".range(of:", "[String:"]
    /// What shows on the line itself that the text is bounded, bytes, or the key of a table of our own.
    static let evidence = ["boundedASCII", ".utf8", "withBoundedRuns", "TextRule.", "static let"]

    /// Whether a file reads what comes from outside.
    static func comparesOutsideText(_ path: String) -> Bool {
        guard path.hasPrefix("Adapters/") else { return comparingFolders.contains(where: path.hasPrefix) }
        return adapterParts.contains { path.split(separator: "/").last?.contains($0) ?? false }
    }

    /// Text from outside that is compared as `String`: Swift does so by canonical equivalence, not by bytes.
    static func comparedText(_ source: SwiftSource) -> [Finding] {
        guard comparesOutsideText(source.path) else { return [] }
        let isFine = evidence + allowedComparisons.flatMap(\.places)
        return source.findings("compares text from outside as String", besides: isFine) { line in
            comparisons.contains { line.contains($0) }
        }
    }

    /// Where it may be, by a piece of the line, and why.
    static let allowedComparisons: [AllowedPlaces] = [
        AllowedPlaces(
            "a text of JSON, in which the parser refuses or breaks long runs",
            [
                "firsts: [String: Int]", "text.hasPrefix($0)", "type.hasPrefix(", "type.hasSuffix(",
                "text.hasPrefix(\"-\")",
                "url.hasPrefix(\"https://\")",
                "merchantAccountCode.lowercased()", "text.hasPrefix(\"Insufficient", "event.type.hasPrefix(",
                "word(key).flatMap { $0.hasPrefix(", "code.uppercased()", "type.lowercased()", "$0.key.hasPrefix(",
            ]
        ),
        AllowedPlaces(
            "a text of a file or of XML, which is bounded where it is made of bytes",
            [
                "text.hasPrefix(\"USTD//\")", "text.hasPrefix(\"STRD/\")", "text(indicator)?.lowercased()",
                "$0.lowercased() == word", "places: [String: [Int]]", "breakdown.lowercased()",
                "word.hasPrefix(", "\\(word)\".hasSuffix(", "attributes: [String: String]", "func attributes()",
                "attributes[\"encoding\"]",
            ]
        ),
        AllowedPlaces(
            "ASCII, or a few bytes, by then",
            [
                "parts[0].lowercased()",
                ".filter { $0 != \" \" }.lowercased()", "tag.hasPrefix(", "tag.hasSuffix(", "!name.hasPrefix(",
                "name.hasPrefix(\"__MACOSX/\")", "reference.hasPrefix(\"#\")", "digits.hasPrefix(\"x\")",
                "header.lowercased().hasPrefix(", "filter { $0.hasPrefix(prefix) }.map",
            ]
        ),
        AllowedPlaces(
            "keys of a closed list: a query's and a form's known names",
            ["values: [String: String]", "fields: [String: String]"]
        ),
        AllowedPlaces(
            "not from outside: our documents, patterns, scopes, answers and declarations, a library's messages",
            [
                "[String: JSON]", "kinds: [String: SettlementKind]", "target.hasPrefix(prefix)", "$0.hasPrefix(\"{\")",
                "scopes.filter { $0.hasPrefix(",
                "head.headers[\"connection\"].contains", "message.lowercased()", "credit.map { $0.lowercased() }",
            ]
        ),
    ]
}

/// Pieces of lines that a rule lets pass, and the reason.
struct AllowedPlaces: Sendable {
    let reason: String
    let places: [String]

    init(_ reason: String, _ places: [String]) {
        self.reason = reason
        self.places = places
    }
}

extension SwiftSource {
    /// A finding for each line of code that the test holds for, unless the line as it is written has one of these pieces.
    fileprivate func findings(
        _ problem: String,
        besides pieces: [String],
        where test: (_ code: String) -> Bool
    ) -> [Finding] {
        findings(problem, where: test).filter { finding in
            let line = lines[finding.line - 1]
            return !pieces.contains { line.contains($0) }
        }
    }
}
