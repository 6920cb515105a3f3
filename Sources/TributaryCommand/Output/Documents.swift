import Domain
import StrictJSON

/// Cells of what the API's documents say, which commands show whether they come from a server or from the database.
extension Table.Cell {
    /// Words, or nothing.
    static func text(of json: JSON?) -> Table.Cell { .optional(json?.stringValue) }

    /// A number, or nothing.
    static func integer(of json: JSON?) -> Table.Cell { json?.integerValue.map { .integer($0) } ?? .absent }

    /// A moment, or nothing.
    static func moment(of json: JSON?) -> Table.Cell { .moment(Timestamp(document: json)) }

    /// An amount in the currency of that code; a number if there is none.
    static func amount(of json: JSON?, in currency: JSON?) -> Table.Cell {
        guard let value = json?.integerValue else { return .absent }
        return currency?.stringValue.flatMap { Currency(code: $0) }.map { .amount(value, $0) } ?? .integer(value)
    }
}

extension Timestamp {
    /// The moment that a document says; nil for none.
    init?(document json: JSON?) {
        guard let moment = json?.stringValue.flatMap({ RFC3339.timestamp($0, .strict) }) else { return nil }
        self = moment
    }
}

extension JSON {
    /// The text of a member; empty if there is none.
    func text(_ key: String) -> String { self[key]?.stringValue ?? "" }

    /// The elements of a member that is an array.
    func list(_ key: String) -> [JSON] { self[key]?.arrayValue ?? [] }

    /// The object without some of its members.
    func without(_ keys: String...) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !keys.contains($0.key) })
    }

    /// The members of an object that are there and not null, in an order.
    func choosing(_ keys: String...) -> JSON {
        .object(keys.compactMap { key in self[key].flatMap { $0.isNull ? nil : Member(key, $0) } })
    }
}
