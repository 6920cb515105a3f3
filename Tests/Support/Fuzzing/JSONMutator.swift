import SeededRandom
import StrictJSON

/// Changes documents that are JSON, value by value, so that what comes out is JSON too.
struct JSONMutator {
    private static let texts = [
        "", " ", "é", "e\u{301}", "\u{202E}x", "0", "-1", "USD", "JPY", "usd", "2026-02-30", "2026-11-20T12:00:00Z",
        "https://a.example/",
        "succeeded", "declined", "pending", "true", "null", "1.00", "1e3", String(repeating: "a", count: 3000),
    ]
    private static let numbers: [JSON] = [
        0, 1, -1, .integer(.max), .integer(.min), .number("9223372036854775808"), .number("1.5"), .number("1e3"),
        .number("0.10"),
        .number("1e400"), .integer(1 << 50), .integer((1 << 50) + 1),
    ]

    /// Values out of all documents, to be put where they do not belong.
    private let pieces: [JSON]

    init(_ documents: [JSON]) { pieces = documents.flatMap { Array(Self.values(in: $0)) } }

    /// A document with one of its values changed.
    func changed(_ document: JSON, _ random: inout SeededRandom) -> JSON {
        var place = random.below(Self.values(in: document).count)
        return change(document, at: &place, &random)
    }

    /// All values, each before those in it.
    private static func values(in json: JSON) -> [JSON] {
        switch json {
        case .array(let elements): [json] + elements.flatMap(values)
        case .object(let members): [json] + members.flatMap { values(in: $0.value) }
        case .null, .bool, .integer, .number, .string: [json]
        }
    }

    /// Changes the value that as many others come before as `place` says, which counts down.
    private func change(_ json: JSON, at place: inout Int, _ random: inout SeededRandom) -> JSON {
        let isHere = place == 0
        place -= 1
        if isHere { return replacement(of: json, &random) }
        guard place >= 0 else { return json }
        switch json {
        case .array(var elements):
            for index in elements.indices { elements[index] = change(elements[index], at: &place, &random) }
            return .array(elements)
        case .object(var members):
            for index in members.indices {
                members[index] = JSON.Member(members[index].key, change(members[index].value, at: &place, &random))
            }
            return .object(members)
        case .null, .bool, .integer, .number, .string: return json
        }
    }

    private func replacement(of json: JSON, _ random: inout SeededRandom) -> JSON {
        switch (json, random.below(6)) {
        case (.object(var members), 0...3) where !members.isEmpty:
            let place = random.below(members.count)
            switch random.below(3) {
            case 0: members.remove(at: place)
            case 1: members[place] = JSON.Member(random.one(of: Self.texts), members[place].value)
            default: members.append(JSON.Member("x" + members[place].key, random.one(of: pieces)))
            }
            return .object(members)
        case (.array(var elements), 0...3):
            if elements.isEmpty || random.below(2) == 0 {
                elements.append(elements.isEmpty ? random.one(of: pieces) : random.one(of: elements))
            } else {
                elements.remove(at: random.below(elements.count))
            }
            return .array(elements)
        case (.integer(let number), 0...1): return .integer(number &+ Int64(random.below(3) - 1))
        case (.string(let text), 0): return .string(String(text.dropLast()))
        case (_, 2): return random.one(of: Self.numbers)
        case (_, 3): return .string(random.one(of: Self.texts))
        case (_, 4): return random.one(of: [.null, .bool(true), .bool(false), [], [:]])
        default: return random.one(of: pieces)
        }
    }
}
