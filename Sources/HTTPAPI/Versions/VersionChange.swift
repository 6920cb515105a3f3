import StrictJSON

/// What a version changed in answers, as the way back: a pure function from an answer of the version to one of the version
/// before it.
struct VersionChange: Sendable {
    /// The version that changed it.
    let version: APIVersion
    /// The document as the version before has it.
    let undo: @Sendable (_ document: JSON, _ isProblem: Bool) -> JSON

    /// Every change, the newest first, which is the order of the way back.
    static let all = [VersionChange(version: .november23, undo: November23.undo)]

    /// A document of the newest version as an older one has it.
    static func document(_ document: JSON, isProblem: Bool, in version: APIVersion) -> JSON {
        all.filter { $0.version > version }.reduce(document) { $1.undo($0, isProblem) }
    }
}

/// 2026-11-23: the type of a problem leads to its explanation; payments, refunds and disputes stand alone, with currency,
/// order, times and decimal amounts; orders say when they were decided and last changed; everything says whether it is live.
///
/// Documents of the version before forbade members that they did not describe, so what was added is taken out.
enum November23 {
    /// What was added to each kind of object, besides decimal amounts.
    private static let added: [String: Set<String>] = [
        "order": ["decided_at", "updated_at"],
        "payment": ["order_reference", "currency", "created_at", "authorized_at", "captured_at", "failure"],
        "dispute": [
            "order", "order_reference", "payment", "merchant", "external_identifier", "currency", "created_at",
        ],
        "refund": ["order_reference"], "item": ["merchant"], "attention": ["merchant", "external_identifier"],
        "line": [],
    ]

    /// Which kinds of objects the lists of an object have.
    private static let lists: [String: [String: String]] = [
        "order": ["payments": "payment", "refunds": "refund", "attention": "attention"],
        "payment": ["disputes": "dispute", "allocation": "line"], "refund": ["items": "item"],
    ]

    /// The document as it was before.
    static func undo(_ document: JSON, isProblem: Bool) -> JSON {
        if isProblem { return problem(document) }
        if document["has_more"] != nil, case .object(let members) = document {
            return .object(members.map { .init($0.key, $0.key == "data" ? each($0.value, undoObject) : $0.value) })
        }
        return undoObject(document)
    }

    private static func problem(_ document: JSON) -> JSON {
        guard case .object(let members) = document, let code = document["code"]?.stringValue else { return document }
        return .object(
            members.map { $0.key == "type" ? .init("type", .string("urn:tributary:problem:\(code)")) : $0 }
        )
    }

    /// An object by itself, known by its identifier's prefix; a payment by itself named its order before, too.
    private static func undoObject(_ document: JSON) -> JSON {
        let document = document.withoutLivemode
        guard let id = document["id"]?.stringValue, let end = id.firstIndex(of: "_") else { return document }
        switch id[..<end] {
        case "ord": return object(document, "order")
        case "pay": return object(document, "payment")
        case "rfd": return object(document, "refund")
        default: return document
        }
    }

    private static func object(_ document: JSON, _ kind: String) -> JSON {
        guard case .object(let members) = document, let gone = added[kind] else { return document }
        let kept = members.filter { member in
            let isDecimal = member.key == "amount_decimal" || member.key.utf8.ends(with: "_amount_decimal")
            return !isDecimal && member.key != "livemode" && !gone.contains(member.key)
        }
        return .object(
            kept.map { member in
                guard let inner = lists[kind]?[member.key] else { return member }
                return .init(member.key, each(member.value) { inside($0, inner) })
            }
        )
    }

    /// An object in another; a payment of an order did not name it.
    private static func inside(_ document: JSON, _ kind: String) -> JSON {
        let older = object(document, kind)
        guard kind == "payment", case .object(let members) = older else { return older }
        return .object(members.filter { $0.key != "order" })
    }

    private static func each(_ list: JSON, _ change: (JSON) -> JSON) -> JSON {
        guard case .array(let elements) = list else { return list }
        return .array(elements.map(change))
    }
}

extension JSON {
    /// The object without `livemode`; anything else as it is.
    fileprivate var withoutLivemode: JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != "livemode" })
    }
}
