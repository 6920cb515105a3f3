/// One thing that is wrong with a document: where, which rule, and a sentence for the sender.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The value it concerns (RFC 6901); for a missing field, where the field would stand.
    package let pointer: String
    /// The rule that is broken, in snake case and stable: `missing_field`, `out_of_range`.
    package let code: String
    /// What is wrong and what is expected, as a sentence.
    ///
    /// Never repeats a value that could be secret.
    package let detail: String
    /// Which of a series of checks failed, in snake case; nil where there is no series.
    package let stage: String?

    /// Makes a violation.
    package init(pointer: String, code: String, detail: String, stage: String? = nil) {
        self.stage = stage
        self.pointer = pointer
        self.code = code
        self.detail = detail
    }

    /// Makes a violation.
    package init(at pointer: JSONPointer, _ code: String, _ detail: String) {
        self.init(pointer: pointer.text, code: code, detail: detail)
    }

    /// The members of a problem document's `errors` (RFC 9457).
    package var json: JSON {
        .object(omittingAbsent: [
            "pointer": .string(pointer), "code": .string(code), "detail": .string(detail),
            "stage": stage.map(JSON.string),
        ])
    }

    /// Pointer, code and detail in one line.
    package var description: String { "\(pointer.isEmpty ? "(document)" : pointer): \(code): \(detail)" }
}

/// Collects what is wrong with one document, in the order in which it is found.
package final class Violations {
    /// What was found so far.
    package private(set) var all: [Violation] = []

    /// Makes an empty collection.
    package init() {}

    /// Whether nothing was found.
    package var isEmpty: Bool { all.isEmpty }

    /// Adds a violation.
    package func add(_ violation: Violation) { all.append(violation) }

    /// Adds a violation of the rule `code` at `pointer`.
    package func add(at pointer: JSONPointer, _ code: String, _ detail: String) {
        all.append(Violation(at: pointer, code, detail))
    }
}

/// Where a value stands in a document (RFC 6901): `/contexts/1/amount`; the whole document is the empty text.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The pointer's text.
    package let text: String

    /// The whole document.
    package static let root = JSONPointer(text: "")

    private init(text: String) { self.text = text }

    /// The member `key` of the object this points to.
    package func appending(_ key: String) -> JSONPointer { JSONPointer(text: text + Self.token(key)) }

    /// The element `index` of the array this points to.
    package func appending(_ index: Int) -> JSONPointer { JSONPointer(text: "\(text)/\(index)") }

    /// The text.
    package var description: String { text }

    /// A key as a reference token with its leading slash: `~` is written `~0` and `/` is written `~1`.
    static func token(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return "/" + key }
        var escaped: [UInt8] = [UInt8(ascii: "/")]
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "~"): escaped += [UInt8(ascii: "~"), UInt8(ascii: "0")]
            case UInt8(ascii: "/"): escaped += [UInt8(ascii: "~"), UInt8(ascii: "1")]
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
