import StrictJSON

/// A field that is asked for, checked against the schema, with fragments in their place.
struct GraphQLNode: Hashable, Sendable {
    /// What the answer calls it.
    let key: String
    /// The field.
    let name: String
    /// What it is given, as an object.
    let arguments: JSON
    /// The types that the object it is of must have one of.
    let owners: Set<String>
    /// What is asked of its value; empty if that has no fields.
    var children: [GraphQLNode] = []

    /// The child of that name, and whether there is just one.
    func child(_ name: String) -> GraphQLNode? { children.first { $0.name == name } }

    /// As much of a value as is asked for; objects say what they are in `__typename`.
    func answer(_ value: JSON) -> JSON {
        switch value {
        case .array(let elements): .array(elements.map(answer))
        case .object where !children.isEmpty: Self.answer(value, children)
        default: value
        }
    }

    private static func answer(_ value: JSON, _ children: [GraphQLNode]) -> JSON {
        let type = value["__typename"]?.stringValue ?? ""
        var members: [JSON.Member] = []
        for child in children where child.owners.contains(type) {
            let part = child.answer(.optional(value[child.name]))
            if let index = members.firstIndex(where: { $0.key == child.key }) {
                members[index] = JSON.Member(child.key, merged(members[index].value, part))
            } else {
                members.append(JSON.Member(child.key, part))
            }
        }
        return .object(members)
    }

    /// Two answers to the same field: an object has what either asked for.
    private static func merged(_ first: JSON, _ second: JSON) -> JSON {
        switch (first, second) {
        case (.object(let mine), .object(let theirs)):
            let added = theirs.filter { member in !mine.contains { $0.key == member.key } }
            let joined = mine.map { member in
                let other = theirs.first { $0.key == member.key }
                return other.map { JSON.Member(member.key, merged(member.value, $0.value)) } ?? member
            }
            return .object(joined + added)
        case (.array(let mine), .array(let theirs)) where mine.count == theirs.count:
            return .array(zip(mine, theirs).map(merged))
        default: return first
        }
    }
}
