public import AdapterKit
import Domain
import StrictJSON

/// What the simulator lists of what happened.
extension SimulatorAdapter: ActivityListing {
    /// As far as its books go: the last 20,000 events.
    public static let activityReachMilliseconds: Int64? = nil

    /// `GET /v1/events`.
    public func listing(_ query: ActivityQuery) -> WireRequest {
        requests.events(since: query.since.microseconds / 1000, after: query.cursor)
    }

    /// Reads a page, the oldest event first.
    public func activity(_ reply: WireReply, to query: ActivityQuery) -> ActivityReading {
        guard reply.status == 200, let json = try? JSON.parse(reply.body), json["object"] == "list",
            json["since"]?.integerValue == query.since.microseconds / 1000,
            let data = json["data"]?.arrayValue, let hasMore = json["has_more"]?.boolValue
        else { return .refused("HTTP \(reply.status), and no list of events.") }
        let events = data.compactMap(Self.event)
        guard events.count == data.count else { return .refused("The list has something that is no event.") }
        guard hasMore else { return .page(events, next: nil) }
        guard let last = events.last else { return .refused("The list goes on behind nothing.") }
        return .page(events, next: last.id)
    }
}
