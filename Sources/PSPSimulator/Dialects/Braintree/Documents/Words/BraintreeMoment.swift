/// Moments as Braintree writes them.
enum BraintreeMoment {
    /// An ISO 8601 timestamp with microseconds, in UTC.
    static func text(_ milliseconds: Int64) -> String {
        "\(Moment.text(milliseconds)).\(String(1000 + milliseconds % 1000).dropFirst())000Z"
    }

    /// The day in UTC.
    static func day(_ milliseconds: Int64) -> String { String(Moment.text(milliseconds).prefix(10)) }
}
