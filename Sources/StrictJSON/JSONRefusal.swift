import Domain

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

/// Why bytes were not read as JSON, and where.
///
/// No value of the document appears in it.
package struct JSONRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the document.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There is no value, only white space.
        case empty
        /// The document ends inside a value.
        case unexpectedEnd = "unexpected_end"
        /// A character stands where the grammar has no place for it.
        case unexpectedCharacter = "unexpected_character"
        /// A comma stands before a closing bracket or brace.
        case trailingComma = "trailing_comma"
        /// Something follows the document's one value.
        case trailingContent = "trailing_content"
        /// A number is not one of RFC 8259: a leading zero, a bare point, a plus sign.
        case malformedNumber = "malformed_number"
        /// A backslash is followed by something that is no escape.
        case malformedEscape = "malformed_escape"
        /// A control character stands unescaped in a string.
        case controlCharacter = "control_character"
        /// An escape names half of a surrogate pair without the other half.
        case loneSurrogate = "lone_surrogate"
        /// An escape names NUL, which no database text can hold.
        case nul
        /// The bytes are not UTF-8.
        case invalidUTF8 = "invalid_utf8"
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep = "too_deep"
        /// An object has a key twice.
        case duplicateKey = "duplicate_key"
        /// Text has more than 30 combining marks in a row (UAX #15 section 13).
        case combiningRun = "combining_run"
    }

    /// What is wrong.
    package let reason: Reason
    /// The byte at which it was noticed, from 0 to the document's length.
    package let offset: Int
    /// The innermost value it concerns (RFC 6901); for a duplicate key, that key.
    package internal(set) var pointer: String

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
        pointer = ""
    }

    /// The same refusal, seen from the object whose member it happened in.
    func inside(_ key: String) -> JSONRefusal {
        var outer = self
        outer.pointer = JSONPointer.token(key) + pointer
        return outer
    }

    /// The same refusal, seen from the array whose element it happened in.
    func inside(_ index: Int) -> JSONRefusal {
        var outer = self
        outer.pointer = "/\(index)" + pointer
        return outer
    }

    /// A sentence for the sender, with the offset.
    package var description: String { "\(sentence) (byte \(offset))." }

    /// The refusal as a violation; its code is the reason in snake case.
    package var violation: Violation { Violation(pointer: pointer, code: reason.rawValue, detail: description) }

    private var sentence: String {
        switch reason {
        case .empty: "The document is empty"
        case .unexpectedEnd: "The document ends inside a value"
        case .unexpectedCharacter: "A character stands where JSON has no place for it"
        case .trailingComma: "A comma stands before a closing bracket"
        case .trailingContent: "Something follows the document's value"
        case .malformedNumber: "A number is not written as JSON writes numbers"
        case .malformedEscape: "An escape sequence is not one of JSON's"
        case .controlCharacter: "A control character stands unescaped in a string"
        case .loneSurrogate: "An escape sequence names half of a surrogate pair"
        case .nul: "Text may not contain NUL"
        case .invalidUTF8: "The document is not UTF-8"
        case .tooDeep: "Arrays and objects are nested too deeply"
        case .duplicateKey: "An object has the same key twice"
        case .combiningRun: "Text may not have more than 30 combining marks in a row"
        }
    }
}

/// Runs of combining marks in text from outside.
package enum CombiningRuns: Hashable, Sendable {
    /// A run that is too long is refused (`combining_run`): for what a caller can write otherwise.
    case refused
    /// U+034F, which is invisible, stands after every 30 marks: for what has to be read whatever it is.
    case broken

    /// The text with its runs bounded; nil where a run that is too long is refused.
    func applied(to text: String) -> String? {
        guard text.hasLongCombiningRun else { return text }
        return self == .broken ? text.withBoundedRuns : nil
    }
}
