import StrictJSON

/// The body of a request to Checkout.com; limits are those of its API reference, read 2026.
struct CheckoutBody: Sendable {
    /// The greatest amount, in minor units.
    private static let greatestAmount: Int64 = 9_999_999_999

    private let members: [JSON.Member]

    /// Reads a body; none at all is an empty object.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the endpoint's fields.
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest, knowing known: Set<String>) throws(Refusal) {
        let json = request.body.isEmpty ? .object([]) : try? request.json()
        guard let json, json.objectValue != nil else {
            throw Refusal(422, "request_json_invalid", "The body is not a JSON object.")
        }
        try self.init(json, knowing: known)
    }

    /// Reads an object; members that are null count as absent.
    ///
    /// - Throws: ``Refusal`` if it is no object or has a field that the API reference does not name.
    init(_ json: JSON, knowing known: Set<String>) throws(Refusal) {
        guard let members = json.objectValue, members.allSatisfy({ known.contains($0.key) }) else {
            throw Refusal(422, "request_invalid", "A field is not known.")
        }
        self.members = members.filter { !$0.value.isNull }
    }

    /// A field's value; nil if it is absent.
    subscript(name: String) -> JSON? { members.first { $0.key == name }?.value }

    /// A text; nil if it is absent.
    ///
    /// - Throws: ``Refusal`` if it is none or too long.
    func text(_ name: String, limit: Int) throws(Refusal) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue, text.utf8.count <= limit else {
            throw Refusal(422, "parameter_invalid", "\(name) is not a text of at most \(limit) characters.")
        }
        return text
    }

    /// A truth value; nil if it is absent.
    ///
    /// - Throws: ``Refusal`` if it is none.
    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let flag = value.boolValue else { throw Refusal(422, "parameter_invalid", "\(name) is not a boolean.") }
        return flag
    }

    /// The amount in minor units; nil if it is absent.
    ///
    /// - Throws: ``Refusal`` if it is no integer from 1.
    func amount() throws(Refusal) -> Int64? {
        guard let value = self["amount"] else { return nil }
        guard let amount = value.integerValue, 1...Self.greatestAmount ~= amount else {
            throw Refusal(422, "amount_invalid", "The amount is invalid.")
        }
        return amount
    }

    /// The caller's reference, at most 80 characters; nil if it is absent.
    ///
    /// - Throws: ``Refusal``.
    func reference() throws(Refusal) -> String? { try text("reference", limit: 80) }

    /// The caller's notes, at most 20 of at most 255 characters: texts, numbers and truth values.
    ///
    /// - Throws: ``Refusal``.
    func metadata() throws(Refusal) -> [String: String] {
        guard let value = self["metadata"] else { return [:] }
        guard let notes = value.objectValue, notes.count <= 20 else {
            throw Refusal(422, "parameter_invalid", "The metadata has more than 20 fields.")
        }
        var metadata: [String: String] = [:]
        for note in notes {
            guard note.value.objectValue == nil, note.value.arrayValue == nil else {
                throw Refusal(422, "parameter_invalid", "The metadata is nested.")
            }
            let text = note.value.stringValue ?? note.value.text
            guard text.utf8.count <= 255 else {
                throw Refusal(422, "parameter_invalid", "A value in the metadata is too long.")
            }
            metadata[note.key] = text
        }
        return metadata
    }
}
