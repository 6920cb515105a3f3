/// Reading a document field by field.
extension JSON {
    /// Reads this document, an object, through `body`; unknown members are violations.
    ///
    /// `body` answers nil where it recorded a violation; a nil without one becomes `not_allowed` for the document.
    ///
    /// - Parameters:
    ///   - refusingNull: whether `null` is no way to leave a member out.
    ///   - body: reads the members.
    /// - Returns: what `body` answered.
    /// - Throws: ``InvalidDocument`` with everything that is wrong.
    package func read<Value>(
        refusingNull: Bool = false,
        _ body: (ObjectReader) -> Value?
    ) throws(InvalidDocument) -> Value {
        let violations = Violations()
        guard let reader = ObjectReader(self, into: violations, refusesNull: refusingNull) else {
            throw InvalidDocument(violations: violations.all)
        }
        let value = body(reader)
        reader.finish()
        if value == nil, violations.isEmpty {
            violations.add(at: .root, "not_allowed", "The document cannot be accepted.")
        }
        guard let value, violations.isEmpty else { throw InvalidDocument(violations: violations.all) }
        return value
    }
}
