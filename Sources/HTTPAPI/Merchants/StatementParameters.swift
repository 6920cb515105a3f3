import Domain
import Hummingbird
import Storage

/// What is asked of a statement: the currency, the time, the form.
struct StatementParameters: Sendable {
    /// One end of the time, as it is asked for.
    private enum Edge {
        /// A moment.
        case moment(Timestamp)
        /// The beginning of a day.
        case day(CalendarDay)

        func time(in calendar: LocalCalendar) -> Timestamp {
            switch self {
            case .moment(let time): time
            case .day(let day): calendar.start(of: day)
            }
        }
    }

    private static let names: Set<String> = ["currency", "from", "to", "format", "time_zone"]

    private let currency: Currency
    private let from: Edge?
    private let to: Edge?
    /// The time zone that is asked for; nil for the merchant's.
    private let timeZone: String?
    /// What to write it as.
    let format: PaperFormat
    /// Which lines to answer, as JSON.
    let page: Page

    /// Reads the query and the `Accept` field.
    ///
    /// - Throws: a 422 ``Problem``.
    init(of request: Request) throws(Problem) {
        let query = try Query(of: request, allowing: Self.names.union(Page.parameters))
        guard let currency = query["currency"].flatMap({ Currency(code: $0) }) else {
            throw Query.refusal("currency", "an ISO 4217 code, such as USD")
        }
        self.currency = currency
        from = try Self.edge("from", query)
        to = try Self.edge("to", query)
        timeZone = query["time_zone"]
        format = try PaperFormat.asked(query, request, among: PaperFormat.allCases)
        page = try Page(query)
        if format != .json, let name = Page.parameters.sorted().first(where: { query[$0] != nil }) {
            throw Query.refusal(name, "left out with \(format.rawValue), which has every line")
        }
    }

    /// The calendar whose days it has: of the zone that is asked for, else the merchant's, else the marketplace's.
    ///
    /// - Throws: a 422 ``Problem`` for a zone that this machine does not know.
    func calendar(of merchant: BusinessProfile?, _ marketplace: BusinessProfile) async throws(Problem) -> LocalCalendar
    {
        let zone = timeZone ?? merchant?.timeZone ?? marketplace.timeZone ?? LocalCalendar.utc.zone
        guard let calendar = await TimeZones.calendar(of: zone) else {
            throw Query.refusal("time_zone", "a time zone of the tz database, such as Europe/Berlin")
        }
        return calendar
    }

    /// The time that is asked for; without one, the month that `now` is in.
    ///
    /// - Throws: a 422 ``Problem``.
    func time(in calendar: LocalCalendar, at now: Timestamp) throws(Problem) -> Range<Timestamp> {
        let month = calendar.month(of: now)
        let begin = from?.time(in: calendar) ?? month.lowerBound
        let end = to?.time(in: calendar) ?? month.upperBound
        guard begin < end else { throw Query.refusal("to", "later than from, which is \(begin)") }
        return begin..<end
    }

    /// The scope of a merchant's statement over a time.
    func scope(of merchant: Merchant, over time: Range<Timestamp>) -> StatementScope {
        guard
            let scope = StatementScope(
                marketplace: merchant.marketplace,
                merchant: merchant.id,
                currency: currency,
                from: time.lowerBound,
                to: time.upperBound
            )
        else { preconditionFailure("the time was checked as it was read") }
        return scope
    }

    private static func edge(_ name: String, _ query: Query) throws(Problem) -> Edge? {
        guard let text = query[name] else { return nil }
        if text.utf8.count == 10, let day = CalendarDay(text) { return .day(day) }
        guard let moment = RFC3339.timestamp(text, .strict) else {
            throw Query.refusal(name, "a date, or a time as RFC 3339 writes it")
        }
        return .moment(moment)
    }
}
