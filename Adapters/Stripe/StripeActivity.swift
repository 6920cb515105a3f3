package import AdapterKit
import Domain
import StrictJSON

/// What Stripe lists of what happened: its events, under the names that webhooks have.
///
/// Source: "List all events" of the API reference, which goes back 30 days. Each is written in the API version in which it
/// was made, as webhooks of endpoints without a version of their own are.
extension StripeAdapter: ActivityListing {
    /// 30 days.
    package static let activityReachMilliseconds: Int64? = 30 * 24 * 3_600_000

    /// Direct charges happen at connected accounts, each of which has a list of its own.
    package static let listsMerchantAccountsApart = true

    /// `GET /v1/events`.
    package func listing(_ query: ActivityQuery) -> WireRequest { requests.events(query) }

    /// Reads a page, the newest event first.
    package func activity(_ reply: WireReply, to query: ActivityQuery) -> ActivityReading {
        let json: JSON
        switch StripeReply(reply, to: nil) {
        case .object(let object, _): json = object
        case .refusal(let refusal): return .refused(refusal.sentence)
        case .doubt(let reason): return .refused(reason)
        }
        guard json["object"]?.stringValue == "list", let data = json["data"]?.arrayValue,
            let hasMore = json["has_more"]?.boolValue
        else { return .refused("Stripe answered something else than a list of events.") }
        let found = data.compactMap { $0["object"]?.stringValue == "event" ? StripeEvent($0) : nil }
        guard found.count == data.count else { return .refused("Stripe's list has something that is no event.") }
        let events = found.map { read($0, of: query.merchantAccount) }
        guard hasMore else { return .page(events, next: nil) }
        guard let last = found.last else { return .refused("Stripe's list goes on behind nothing.") }
        return .page(events, next: last.id)
    }
}
