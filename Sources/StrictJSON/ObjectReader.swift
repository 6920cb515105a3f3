/// Reads the members of one object by name and type, and remembers which were read.
///
/// Every method answers nil for what is absent or wrong, and records a violation for what is wrong, so that a
/// caller reads the whole document and looks at ``violations`` once, at the end. ``finish()`` reports members
/// that nobody asked for; the closures of nested objects and arrays are finished on return.
package final class ObjectReader {
    /// Where everything that is wrong is collected; shared by all readers of one document.
    package let violations: Violations
    /// Where the object stands in the document.
    package let pointer: JSONPointer
    /// Whether members that nobody asks for are no violation; nested readers do as their parent does.
    package let toleratesUnknown: Bool
    /// Whether `null` is a value of the wrong type, even where a member may be absent; nested readers do as their
    /// parent does.
    package let refusesNull: Bool
    private let members: [JSON.Member]
    private var isRead: [Bool]

    /// Starts reading `json`; nil, with a `wrong_type` violation, if it is no object.
    package init?(
        _ json: JSON,
        at pointer: JSONPointer = .root,
        into violations: Violations,
        toleratesUnknown: Bool = false,
        refusesNull: Bool = false
    ) {
        guard case .object(let members) = json else {
            violations.add(at: pointer, "wrong_type", "Must be an object.")
            return nil
        }
        self.members = members
        self.pointer = pointer
        self.violations = violations
        self.toleratesUnknown = toleratesUnknown
        self.refusesNull = refusesNull
        isRead = [Bool](repeating: false, count: members.count)
    }

    /// The keys of the object in their order, read or not.
    package var keys: [String] { members.map(\.key) }

    /// Whether the member is there and not a `null` that stands for absence.
    ///
    /// Does not count as reading it.
    package func contains(_ key: String) -> Bool {
        members.contains { $0.isNamed(key) && (refusesNull || !$0.value.isNull) }
    }

    /// The pointer of a member, whether it is there or not.
    package func pointer(to key: String) -> JSONPointer { pointer.appending(key) }

    /// Records that the member `key` breaks the rule `code`.
    package func refuse(_ key: String, _ code: String, _ detail: String) {
        violations.add(at: pointer(to: key), code, detail)
    }

    /// The member's value whatever its type.
    package func value(_ key: String, _ presence: Presence = .required) -> JSON? {
        guard let index = members.firstIndex(where: { $0.isNamed(key) }) else {
            if presence == .required { refuse(key, "missing_field", "The field is required.") }
            return nil
        }
        isRead[index] = true
        guard presence == .required || refusesNull || !members[index].value.isNull else { return nil }
        return members[index].value
    }

    /// Counts the member as read without looking at it.
    package func ignore(_ key: String) { _ = value(key, .optional) }

    /// Reports every member that was not read as `unknown_field`, in the order of the document.
    package func finish() {
        guard !toleratesUnknown else { return }
        for (member, isRead) in zip(members, isRead) where !isRead {
            refuse(member.key, "unknown_field", "There is no such field here.")
        }
        isRead = isRead.map { _ in true }
    }

    /// Records `wrong_type`.
    func refuseType(_ key: String, _ expected: String) { refuse(key, "wrong_type", "Must be \(expected).") }
}

/// Whether a field must be there.
package enum Presence: Hashable, Sendable {
    /// Absence is a violation (`missing_field`), and so is `null` (`wrong_type`).
    case required
    /// The field may be absent, and `null` unless ``ObjectReader/refusesNull``; both read as nil without a violation.
    case optional
}

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

/// A document that is JSON but not what was asked for; everything that is wrong with it at once.
package struct InvalidDocument: Error, Hashable, Sendable {
    /// What is wrong, in the order in which it was found; never empty.
    package let violations: [Violation]

    /// Makes the error.
    package init(violations: [Violation]) { self.violations = violations }
}

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
