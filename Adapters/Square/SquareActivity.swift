package import AdapterKit
import Domain
import StrictJSON

/// What Square lists of what happened: payments and refunds that changed since, then all disputes, as they stand.
///
/// It lists objects, not the events that webhooks tell, so that what was told is told again, under a name of its own; the
/// orders take no harm of that. Source: Square's OpenAPI description, `ListPayments`, `ListPaymentRefunds` and
/// `ListDisputes`.
extension SquareAdapter: ActivityListing {
    /// As far as Square knows: of payments made in the year before what is asked for.
    package static let activityReachMilliseconds: Int64? = nil

    /// Payments are listed of one location at a time.
    package static let listsMerchantAccountsApart = true

    /// `GET /v2/payments`, `/v2/refunds` and `/v2/disputes`, one list behind the other.
    package func listing(_ query: ActivityQuery) -> WireRequest {
        let place = SquarePlace(query.cursor)
        return requests.list(place.list, changedSince: query.since, at: query.merchantAccount, place.cursor)
    }

    /// Reads a page; the page behind the last one of a list is the first of the next list.
    package func activity(_ reply: WireReply, to query: ActivityQuery) -> ActivityReading {
        let place = SquarePlace(query.cursor)
        let page: SquarePage
        switch SquareReply(reply) {
        case .object(let json):
            guard let read = SquarePage(json, of: place.list.rawValue) else {
                return .refused("Square answered something else than the list of \(place.list.rawValue).")
            }
            page = read
        case .refusal(let refusal), .clash(let refusal): return .refused(refusal.sentence)
        case .doubt(let reason): return .refused(reason)
        }
        var events: [WebhookEvent] = []
        for element in page.elements {
            guard let event = SquareEvent(listed: element, as: place.list.object, of: merchantID) else {
                return .refused("Square's list of \(place.list.rawValue) has something that is none.")
            }
            // Disputes cannot be narrowed by time.
            if let at = event.at, at < query.since { continue }
            events.append(read(event))
        }
        return .page(events, next: place.next(page.cursor)?.text)
    }
}

/// A place in the lists that are read one behind the other.
struct SquarePlace {
    /// A list of Square's.
    enum List: String, CaseIterable {
        case payments, refunds, disputes

        /// What its elements are called in events.
        var object: String {
            switch self {
            case .payments: "payment"
            case .refunds: "refund"
            case .disputes: "dispute"
            }
        }
    }

    /// The list.
    let list: List
    /// Square's cursor in it; nil for its first page.
    let cursor: String?

    private init(_ list: List, _ cursor: String?) { (self.list, self.cursor) = (list, cursor) }

    /// The place that a text names; the first of all for nil, and for what names none.
    init(_ text: String?) {
        let parts = (text ?? "").utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
        list = parts.first.flatMap { List(rawValue: $0) } ?? .payments
        cursor = parts.count == 2 ? parts[1] : nil
    }

    /// The place as a text.
    var text: String { list.rawValue + (cursor.map { " " + $0 } ?? "") }

    /// The place behind a page, by Square's cursor if the list goes on; nil behind the last one of all.
    func next(_ cursor: String?) -> SquarePlace? {
        if let cursor { return SquarePlace(list, cursor) }
        switch list {
        case .payments: return SquarePlace(.refunds, nil)
        case .refunds: return SquarePlace(.disputes, nil)
        case .disputes: return nil
        }
    }
}

extension SquareEvent {
    /// An object of a list as the event that would tell of it as it is now; nil if it has no name or time.
    ///
    /// - Parameters:
    ///   - json: the object.
    ///   - object: what events call it.
    ///   - merchant: the seller, whose list it is.
    init?(listed json: JSON, as object: String, of merchant: String?) {
        guard let id = json["id"]?.stringValue ?? json["dispute_id"]?.stringValue,
            let time = json["updated_at"]?.stringValue ?? json["created_at"]?.stringValue
        else { return nil }
        self.init(
            .object(omittingAbsent: [
                "event_id": .string("list.\(object).\(id).\(time)"),
                "type": .string(object == "dispute" ? "dispute.state.updated" : "\(object).updated"),
                "created_at": .string(time), "merchant_id": merchant.map(JSON.string),
                "data": ["object": [object: json]],
            ])
        )
    }
}
