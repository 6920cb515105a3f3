/// Members that are one value.
extension ObjectReader {
    /// An integer within a range; `not_an_integer` for other numbers, `out_of_range` outside it.
    package func integer(
        _ key: String,
        _ presence: Presence = .required,
        in range: ClosedRange<Int64> = .min ... .max
    ) -> Int64? {
        switch value(key, presence) {
        case nil: return nil
        case .integer(let value):
            guard !range.contains(value) else { return value }
            refuse(key, "out_of_range", "Must be \(Self.sentence(range)).")
        case .number: refuse(key, "not_an_integer", "Must be an integer that fits 64 bits.")
        default: refuseType(key, "an integer")
        }
        return nil
    }

    /// A truth value.
    package func bool(_ key: String, _ presence: Presence = .required) -> Bool? {
        guard let json = value(key, presence) else { return nil }
        if json.boolValue == nil { refuseType(key, "true or false") }
        return json.boolValue
    }

    /// Text whose length in Unicode scalars is within a range; `empty`, `too_short` or `too_long` outside it.
    package func string(
        _ key: String,
        _ presence: Presence = .required,
        length: ClosedRange<Int> = 1...255
    ) -> String? {
        guard let json = value(key, presence) else { return nil }
        return text(json, at: pointer(to: key), length: length)
    }

    /// Text within a length that a rule of the caller takes, as the rule answers it; `invalid_character` with the
    /// rule's sentence for any other.
    package func string<Objection: Error & CustomStringConvertible>(
        _ key: String,
        _ presence: Presence = .required,
        length: ClosedRange<Int> = 1...255,
        by rule: (String) throws(Objection) -> String
    ) -> String? {
        guard let json = value(key, presence) else { return nil }
        return ruled(json, at: pointer(to: key), length: length, by: rule)
    }

    /// Text that is one of a few words; `not_allowed` for any other.
    package func string(_ key: String, _ presence: Presence = .required, oneOf words: [String]) -> String? {
        parsed(key, presence, expecting: "one of \(words.joined(separator: ", "))") { words.contains($0) ? $0 : nil }
    }

    /// Text that names a case; `not_allowed` for any other.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String,
        _ presence: Presence = .required,
        of type: Choice.Type = Choice.self
    ) -> Choice? {
        let words = type.allCases.map(\.rawValue).joined(separator: ", ")
        return parsed(key, presence, expecting: "one of \(words)") { Choice(rawValue: $0) }
    }

    /// Text that `parse` understands; `not_allowed` if it answers nil.
    ///
    /// - Parameters:
    ///   - key: the member's key.
    ///   - presence: whether the member must be there.
    ///   - expected: completes the sentence "Must be …", for example "an ISO 4217 code".
    ///   - parse: answers the value, or nil if the text is not one.
    /// - Returns: what `parse` answered; nil if the member is absent or wrong.
    package func parsed<Value>(
        _ key: String,
        _ presence: Presence = .required,
        expecting expected: String,
        _ parse: (String) -> Value?
    ) -> Value? {
        guard let json = value(key, presence) else { return nil }
        guard let text = json.stringValue else {
            refuseType(key, "a string")
            return nil
        }
        let value = parse(text)
        if value == nil { refuse(key, "not_allowed", "Must be \(expected).") }
        return value
    }

    /// Text within a length that a rule takes, wherever it stands.
    func ruled<Objection: Error & CustomStringConvertible>(
        _ json: JSON,
        at pointer: JSONPointer,
        length: ClosedRange<Int>,
        by rule: (String) throws(Objection) -> String
    ) -> String? {
        guard let text = text(json, at: pointer, length: length) else { return nil }
        do throws(Objection) {
            return try rule(text)
        } catch {
            violations.add(at: pointer, "invalid_character", error.description)
            return nil
        }
    }

    /// Text within a length, wherever it stands.
    func text(_ json: JSON, at pointer: JSONPointer, length: ClosedRange<Int>) -> String? {
        guard let text = json.stringValue else {
            violations.add(at: pointer, "wrong_type", "Must be a string.")
            return nil
        }
        let count = text.unicodeScalars.count
        guard !length.contains(count) else { return text }
        if count == 0 {
            violations.add(at: pointer, "empty", "Must not be empty.")
        } else if count < length.lowerBound {
            violations.add(at: pointer, "too_short", "Must have at least \(length.lowerBound) characters.")
        } else {
            violations.add(at: pointer, "too_long", "Must have at most \(length.upperBound) characters.")
        }
        return nil
    }

    private static func sentence(_ range: ClosedRange<Int64>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (let low, .max): "at least \(low)"
        case (.min, let high): "at most \(high)"
        case (let low, let high): "from \(low) to \(high)"
        }
    }
}
