package import Domain
import SpillFiles

/// What is reconciled: which accounts, which days, and how exactly.
package struct ReconciliationScope: Hashable, Sendable {
    /// How many days behind as-of something may be posted by our clock, and be of as-of or before by a PSP's.
    package static let aheadDays: Int32 = 2

    /// The PSP accounts whose unmet expectations are reported; nil for those that the inputs are of.
    package var accounts: Set<PSPAccountName>?
    /// The first day whose unmet expectations are reported; nil for no first.
    package var from: CalendarDay?
    /// The last such day.
    package var to: CalendarDay?
    /// Which day a moment of ours belongs to.
    package var calendar = BusinessCalendar.utc
    /// The day that ages are counted to; nil for the last day that an input names, never the clock's.
    package var asOf: CalendarDay?
    /// The tolerance of every rule in minor units, in place of its own.
    package var toleranceMinorUnits: Int64?
    /// Where memory is spilled to: a directory that is there.
    package var spillDirectory = SpillFile.standardDirectory

    /// Makes a scope that leaves nothing out.
    package init() {}

    /// Whether unmet expectations of a day are reported.
    func contains(_ day: CalendarDay) -> Bool {
        if let from, day < from { return false }
        if let to, day > to { return false }
        return true
    }
}
