/// Moments as Worldpay writes them.
enum WorldpayMoment {
    /// To the millisecond, in UTC: `2025-06-08T16:11:13.164Z`.
    static func text(_ milliseconds: Int64) -> String {
        Moment.text(milliseconds) + "." + String(1000 + milliseconds % 1000).dropFirst() + "Z"
    }
}
