/// How long a break has waited, as operators group them.
package enum AgeBucket: String, Hashable, Sendable, CaseIterable {
    /// Up to a day.
    case day = "0-1"
    /// Two or three days.
    case days = "2-3"
    /// Up to a week.
    case week = "4-7"
    /// Up to thirty days.
    case month = "8-30"
    /// Longer.
    case longer = ">30"

    /// The bucket of an age in whole days; what lies ahead counts as no age.
    package init(days: Int64) {
        self =
            switch days {
            case ...1: .day
            case 2...3: .days
            case 4...7: .week
            case 8...30: .month
            default: .longer
            }
    }
}
