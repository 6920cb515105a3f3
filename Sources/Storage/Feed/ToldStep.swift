package import Domain
import SQL
import StrictJSON

/// What others are told of a step of an order, as the step's document has it.
///
/// Each thing is a short array, because an order without endpoints pays for it too: the number that its identifier has among
/// those of the step, the type, the sequence, the position of its payment (-1 for none), 1 if its merchant is told and 0 if
/// the marketplace is, and the dispute where there is one.
package struct ToldStep: Hashable, Sendable {
    /// One thing that is told.
    package struct Item: Hashable, Sendable {
        /// The number that its identifier has.
        package let number: Int64
        /// What it is.
        package let kind: Announcement.Kind
        /// Its number among what is told of its subject.
        package let sequence: Int64
        /// The payment's position in the order; nil for none.
        package let payment: Int?
        /// Whether the payment's merchant is told, and not the marketplace.
        package let isForMerchant: Bool
        /// The dispute.
        package let dispute: DisputeID?
    }

    /// The order.
    package let order: OrderID
    /// The order's version after the step.
    package let version: Int64
    /// When the step was taken.
    package let at: Timestamp
    /// What is told, in its order.
    package let items: [Item]

    /// The identifier of one thing.
    package func id(of item: Item) -> CallbackID { CallbackID(of: order, step: version, number: item.number) }

    /// One thing as it was announced; nil if the order has no such payment.
    package func announcement(_ item: Item, in order: Order) -> Announcement? {
        let payment = item.payment.flatMap { order.payments.indices.contains($0) ? order.payments[$0] : nil }
        guard (payment == nil) == (item.payment == nil) else { return nil }
        let audience = item.isForMerchant ? payment.map { Announcement.Audience.merchant($0.merchant) } : .marketplace
        return audience.map { audience in
            Announcement(
                id(of: item),
                item.kind,
                to: audience,
                payment: payment?.id,
                dispute: item.dispute,
                sequence: item.sequence,
                at: at
            )
        }
    }

    static func json(_ told: [Announcement], of order: Order) -> JSON {
        .array(
            told.map { announcement in
                let payment = order.payments.firstIndex { $0.id == announcement.payment }
                let members: [JSON] = [
                    .integer(announcement.id.number), .string(announcement.kind.rawValue),
                    .integer(announcement.sequence), .integer(Int64(payment ?? -1)),
                    .integer(announcement.audience == .marketplace ? 0 : 1),
                ]
                return .array(members + (announcement.dispute.map { [.string($0.text)] } ?? []))
            }
        )
    }

    /// Reads a row of `order_step` with its identifier, moment and document.
    static func read(_ row: Row) throws(SQLError) -> ToldStep {
        let documents = try StepDocument.read(row.bytes("document"))["told"]?.arrayValue
        guard let items = documents?.map(item), !items.contains(nil) else {
            throw .unexpectedValue(column: "order_step.document")
        }
        return ToldStep(
            order: try row.identifier("order_id"),
            version: try row.integer("version"),
            at: try row.time("at"),
            items: items.compactMap(\.self)
        )
    }

    private static func item(_ json: JSON) -> Item? {
        guard let values = json.arrayValue, values.count >= 5, let number = values[0].integerValue,
            let kind = values[1].stringValue.flatMap(Announcement.Kind.init(rawValue:)),
            let sequence = values[2].integerValue, let payment = values[3].integerValue,
            let audience = values[4].integerValue
        else { return nil }
        return Item(
            number: number,
            kind: kind,
            sequence: sequence,
            payment: payment < 0 ? nil : Int(payment),
            isForMerchant: audience == 1,
            dispute: values.count > 5 ? values[5].stringValue.flatMap { DisputeID($0) } : nil
        )
    }
}
