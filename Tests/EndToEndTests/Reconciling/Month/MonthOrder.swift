import Domain

/// An order of the month, and what becomes of it.
struct MonthOrder: Sendable {
    /// What is done to it once its PSPs have answered.
    enum Story: Sendable {
        /// Nothing: it is sold, or refused.
        case left
        /// What was held is let go.
        case canceled
        /// A share of what is held is taken, and the rest released.
        case captured(percent: Int64)
        /// Shares of it are given back, day by day.
        case refunded(percents: [Int64])
        /// A share is given back, a buyer's bank takes the rest a day later, and keeps it or not.
        case disputed(afterRefunding: Int64 = 0, isWon: Bool)
    }

    /// 2025-10-01, in UTC.
    private static let start = Timestamp(microseconds: 1_759_276_800_000_000)

    let day: Int64
    var hour: Int64 = 10
    /// What PSPs do to it, by the table of amounts and numbers; others approve.
    var codes: [SettledPSP: Int] = [:]
    var story = Story.left
    var policy = Policy.allOrNothing

    /// When it is placed.
    var at: Timestamp { Self.start.adding(milliseconds: ((day - 1) * 24 + hour) * 3_600_000) }

    /// When its money is taken.
    var capture: OrderTerms.Capture {
        switch story {
        case .canceled, .captured: .manual
        case .left, .refunded, .disputed: .automatic
        }
    }

    /// October 2025, in which clocks in Europe changed in the night to the 26th.
    static let month = [
        MonthOrder(day: 1),
        MonthOrder(day: 3, story: .refunded(percents: [40])),
        // Sold in one call where a PSP can.
        MonthOrder(day: 5, policy: .bestEffort),
        MonthOrder(day: 7, story: .canceled),
        MonthOrder(day: 9, story: .disputed(isWon: false)),
        // Two issuers say no, and the other holds are released.
        MonthOrder(day: 11, codes: [.stripe: 10]),
        MonthOrder(day: 13, story: .disputed(isWon: true)),
        MonthOrder(day: 15, codes: [.adyen: 1], policy: .bestEffort),
        MonthOrder(day: 17, story: .refunded(percents: [100])),
        // Of the same amount, so that only names tell them apart.
        MonthOrder(day: 18, story: .refunded(percents: [30, 30])),
        MonthOrder(day: 20, story: .captured(percent: 60)),
        // Answers that never arrive: to an authorization, and to captures.
        MonthOrder(day: 22, codes: [.checkout: 208, .square: 318, .stripe: 316]),
        MonthOrder(day: 25, hour: 22),
        MonthOrder(day: 26, hour: 22, story: .disputed(afterRefunding: 25, isWon: false)),
        MonthOrder(day: 30),
    ]
}
