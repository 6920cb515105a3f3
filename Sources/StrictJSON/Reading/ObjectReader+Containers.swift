/// Members that hold other values.
extension ObjectReader {
    /// A nested object, read by `body` and then finished.
    package func object<Value>(
        _ key: String,
        _ presence: Presence = .required,
        _ body: (ObjectReader) -> Value?
    ) -> Value? {
        guard let json = value(key, presence) else { return nil }
        return object(json, at: pointer(to: key), body)
    }

    /// An array of objects, each read by `body` and then finished.
    ///
    /// Answers nil if the array or any element is wrong; `body` runs for every element all the same.
    package func array<Element>(
        _ key: String,
        _ presence: Presence = .required,
        count: ClosedRange<Int>,
        _ body: (ObjectReader) -> Element?
    ) -> [Element]? {
        elements(key, presence, count: count) { json, pointer in object(json, at: pointer, body) }
    }

    /// An array of strings.
    package func strings(
        _ key: String,
        _ presence: Presence = .required,
        count: ClosedRange<Int>,
        length: ClosedRange<Int> = 1...255
    ) -> [String]? {
        elements(key, presence, count: count) { json, pointer in text(json, at: pointer, length: length) }
    }

    /// An array of strings that a rule of the caller takes; `invalid_character` for any other.
    package func strings<Objection: Error & CustomStringConvertible>(
        _ key: String,
        _ presence: Presence = .required,
        count: ClosedRange<Int>,
        length: ClosedRange<Int> = 1...255,
        by rule: (String) throws(Objection) -> String
    ) -> [String]? {
        elements(key, presence, count: count) { json, pointer in ruled(json, at: pointer, length: length, by: rule) }
    }

    /// An array of strings that `parse` understands; `not_allowed` where it answers nil.
    ///
    /// `expected` completes the sentence "Must be …".
    package func strings<Element>(
        _ key: String,
        _ presence: Presence = .required,
        count: ClosedRange<Int>,
        expecting expected: String,
        _ parse: (String) -> Element?
    ) -> [Element]? {
        elements(key, presence, count: count) { json, pointer in
            guard let text = json.stringValue else {
                violations.add(at: pointer, "wrong_type", "Must be a string.")
                return nil
            }
            let element = parse(text)
            if element == nil { violations.add(at: pointer, "not_allowed", "Must be \(expected).") }
            return element
        }
    }

    /// An object whose keys are free and whose values are strings, in its order.
    package func dictionary(
        _ key: String,
        _ presence: Presence = .required,
        count: ClosedRange<Int>,
        keyLength: ClosedRange<Int> = 1...40,
        length: ClosedRange<Int> = 0...500
    ) -> [(key: String, value: String)]? {
        guard let json = value(key, presence) else { return nil }
        guard let members = json.objectValue else {
            refuseType(key, "an object")
            return nil
        }
        let place = pointer(to: key)
        checkCount(members.count, count, at: place, "members")
        let pairs = members.compactMap { member -> (key: String, value: String)? in
            let pointer = place.appending(member.key)
            guard text(.string(member.key), at: pointer, length: keyLength) != nil,
                let value = text(member.value, at: pointer, length: length)
            else { return nil }
            return (member.key, value)
        }
        return pairs.count == members.count && count.contains(members.count) ? pairs : nil
    }

    private func object<Value>(_ json: JSON, at pointer: JSONPointer, _ body: (ObjectReader) -> Value?) -> Value? {
        let reader = ObjectReader(
            json,
            at: pointer,
            into: violations,
            toleratesUnknown: toleratesUnknown,
            refusesNull: refusesNull
        )
        guard let reader else { return nil }
        let value = body(reader)
        reader.finish()
        return value
    }

    private func elements<Element>(
        _ key: String,
        _ presence: Presence,
        count: ClosedRange<Int>,
        _ read: (JSON, JSONPointer) -> Element?
    ) -> [Element]? {
        guard let json = value(key, presence) else { return nil }
        guard let elements = json.arrayValue else {
            refuseType(key, "an array")
            return nil
        }
        let place = pointer(to: key)
        checkCount(elements.count, count, at: place, "elements")
        guard elements.count <= count.upperBound else { return nil }
        let values = elements.enumerated().compactMap { index, json in read(json, place.appending(index)) }
        return values.count == elements.count && count.contains(elements.count) ? values : nil
    }

    private func checkCount(_ count: Int, _ allowed: ClosedRange<Int>, at place: JSONPointer, _ noun: String) {
        if count < allowed.lowerBound {
            let detail = "Must have at least \(allowed.lowerBound) \(noun)."
            violations.add(at: place, count == 0 ? "empty" : "too_few", detail)
        } else if count > allowed.upperBound {
            violations.add(at: place, "too_many", "Must have at most \(allowed.upperBound) \(noun).")
        }
    }
}
