/// Reading a document.
extension JSON {
    /// The deepest nesting any caller can allow; the parser recurses once a level.
    package static let greatestDepthLimit = 512

    /// Reads bytes as exactly one JSON value (RFC 8259).
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8, without a byte order mark.
    ///   - depthLimit: how deeply arrays and objects may be nested, up to ``greatestDepthLimit``.
    ///   - runs: what becomes of text with more than 30 combining marks in a row.
    /// - Returns: the value.
    /// - Throws: ``JSONRefusal`` for the first thing that is wrong.
    package static func parse(
        _ bytes: [UInt8],
        depthLimit: Int = 32,
        runs: CombiningRuns = .broken
    ) throws(JSONRefusal) -> JSON {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw JSONRefusal(.invalidUTF8, at: error.byteOffsets.lowerBound)
        }
        var parser = JSONParser(bytes, depthLimit: min(depthLimit, greatestDepthLimit), runs: runs)
        return try parser.document()
    }

    /// Reads text as exactly one JSON value.
    ///
    /// - Throws: ``JSONRefusal``, as ``parse(_:depthLimit:runs:)`` for the text's bytes.
    package static func parse(
        text: String,
        depthLimit: Int = 32,
        runs: CombiningRuns = .broken
    ) throws(JSONRefusal) -> JSON {
        try parse(Array(text.utf8), depthLimit: depthLimit, runs: runs)
    }
}
