public import Domain

/// A date or a time as a report writes it.
///
/// Reports name time zones that only a table of zones could resolve, or none; so the text is kept, and it names a moment
/// only where that takes no guess.
public struct SettlementDate: Hashable, Sendable {
    /// As it stands in the report.
    public let text: String
    /// The time zone that the report names beside it.
    public let zone: String?

    /// Makes a date.
    public init(_ text: String, zone: String? = nil) {
        self.text = text
        self.zone = zone
    }

    /// The calendar day, `YYYY-MM-DD`, in the report's time zone; nil if the text does not begin with one.
    public var day: String? {
        let day = text.prefix(10)
        return RFC3339.timestamp("\(day)T00:00:00Z") == nil ? nil : String(day)
    }

    /// The moment, if the text has an offset or the zone is UTC.
    ///
    /// A day without a time is no moment. A space may stand for the `T`, and seconds may be missing.
    public var timestamp: Timestamp? {
        guard text.utf8.count > 10, day != nil else { return nil }
        let time = text.dropFirst(10)
        guard let separator = time.first, " Tt".contains(separator) else { return nil }
        let written = "\(text.prefix(10))T\(time.dropFirst())"
        if let moment = RFC3339.timestamp(written) { return moment }
        guard let zone, ["UTC", "GMT", "Z"].contains(zone.uppercased()) else { return nil }
        return RFC3339.timestamp(written + "Z") ?? RFC3339.timestamp(written + ":00Z")
    }
}
