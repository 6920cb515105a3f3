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
