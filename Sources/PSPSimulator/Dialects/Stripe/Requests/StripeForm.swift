/// The parameters of a request to Stripe.
struct StripeForm: Hashable, Sendable {
    let fields: FormDocument

    /// Reads the body of a `POST`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the endpoint's parameters, without what brackets follow.
    /// - Throws: ``Refusal`` that names the first parameter that the endpoint does not have.
    init(_ request: PSPRequest, knowing known: Set<String>) throws(Refusal) {
        fields = try FormDocument(request.body)
        for name in fields.names where !known.contains(String(name.prefix { $0 != "[" })) {
            throw Refusal(400, "parameter_unknown", "Received unknown parameter: \(name.prefix(60))")
        }
    }

    /// Joins two forms.
    init(_ fields: FormDocument) { self.fields = fields }

    /// The value of a parameter.
    ///
    /// - Throws: ``Refusal`` if it is missing.
    func required(_ name: String) throws(Refusal) -> String {
        guard let value = fields.value(name), !value.isEmpty else {
            throw Refusal(400, "parameter_missing", "Missing required param: \(name).")
        }
        return value
    }

    /// A parameter that is a whole number of at least `least`; nil if it is left out.
    ///
    /// - Throws: ``Refusal``.
    func integer(_ name: String, atLeast least: Int64 = 0) throws(Refusal) -> Int64? {
        guard let text = fields.value(name) else { return nil }
        guard let value = Int64(text), least...CommandReader.greatestAmount ~= value, text.utf8.first != 0x2B else {
            throw Refusal(400, "parameter_invalid_integer", "Invalid integer: \(name)")
        }
        return value
    }

    /// A parameter that is `true` or `false`; nil if it is left out.
    ///
    /// - Throws: ``Refusal``.
    func bool(_ name: String) throws(Refusal) -> Bool? {
        switch fields.value(name) {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw .invalid("Invalid boolean: \(name)")
        }
    }

    /// The caller's notes: at most 50, names of at most 40 characters, values of at most 500.
    ///
    /// - Throws: ``Refusal``.
    func metadata() throws(Refusal) -> [String: String] {
        let notes = fields.dictionary("metadata")
        guard notes.count <= 50, notes.allSatisfy({ $0.key.count <= 40 && $0.value.count <= 500 }) else {
            throw .invalid("Metadata can have up to 50 keys of 40 characters, with values of 500 characters.")
        }
        return notes
    }

    /// What is to stand in the answer whole instead of by its identifier.
    var expansions: Set<String> { Set(fields.array("expand")) }

    /// The caller's name for what it asks: Stripe has no field of its own for one.
    ///
    /// It is the first note whose name has one of the words in it, in their order; else the idempotency key.
    static func reference(
        in metadata: [String: String],
        words: [String],
        else key: String?
    ) -> String {
        for word in words {
            let names = metadata.keys.filter { $0.lowercased().contains(word) }.sorted()
            if let name = names.first, let value = metadata[name] { return value }
        }
        return key ?? ""
    }
}
