/// Reading a document field by field.
extension JSON {
    /// Reads this document, an object, through `body`; unknown members are violations.
    ///
    /// `body` answers nil where it recorded a violation; a nil without one becomes `not_allowed` for the document.
    ///
    /// - Throws: ``InvalidDocument`` with everything that is wrong.
    package func read<Value>(_ body: (ObjectReader) -> Value?) throws(InvalidDocument) -> Value {
        let violations = Violations()
        guard let reader = ObjectReader(self, into: violations) else {
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
