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
