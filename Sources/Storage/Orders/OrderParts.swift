import Domain
import SQL
import StrictJSON

/// What documents of an order say shortly because the order says it: identifiers of its parts, and moments.
///
/// A part's identifier begins with the order's, so that the number that its last 32 bits make stands for it; one that does not
/// is written out. A moment is told in microseconds since the millisecond that the order's identifier begins with.
struct OrderParts {
    private let order: OrderID
    private let beginning: Int64

    /// The parts of an order.
    init(of order: OrderID) {
        self.order = order
        beginning = order.beginning.microseconds
    }

    /// A part's identifier as a document has it.
    func json<Tag>(_ id: Identifier<Tag>) -> JSON {
        OrderID(of: id) == order ? .integer(Int64(id.part)) : .string(id.text)
    }

    /// Reads a part's identifier; nil for what ``json(_:)-(Identifier<_>)`` does not write.
    func identifier<Tag>(_ json: JSON?) -> Identifier<Tag>? {
        switch json {
        case .integer(let number)?: UInt32(exactly: number).map { Identifier<Tag>(of: order, part: $0) }
        case .string(let text)?: Identifier<Tag>(text)
        default: nil
        }
    }

    /// A moment as a document has it; any difference is exact, if only by wrapping around.
    func json(_ time: Timestamp) -> JSON { .integer(time.microseconds &- beginning) }

    /// Reads a moment.
    func time(_ number: Int64) -> Timestamp { Timestamp(microseconds: number &+ beginning) }
}

extension JSON {
    /// An array of values, each known by its place; without those at its end that are absent.
    static func places(_ values: [JSON?]) -> JSON {
        let count = values.lastIndex { $0 != nil }.map { $0 + 1 } ?? 0
        return .array(values.prefix(count).map { $0 ?? .null })
    }

    /// An object of the members that have a value; nil if none has one.
    static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON? {
        let object = JSON.object(omittingAbsent: members)
        return object.objectValue?.isEmpty == true ? nil : object
    }
}
