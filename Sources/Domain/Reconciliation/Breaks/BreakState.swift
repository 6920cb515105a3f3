/// Where a break is in its life: open, investigating, then resolved in one of four ways.
package enum BreakState: String, Hashable, Sendable, CaseIterable {
    /// Nobody looked at it yet.
    case open
    /// Somebody looks into it.
    case investigating
    /// A later line explains it, or what it expected arrived.
    case matched
    /// The difference is accepted and posted as an expense or income of the marketplace; needs a scope of its own.
    case writtenOff = "written_off"
    /// The PSP or bank put it right in a later file.
    case corrected
    /// An operator says that it is settled, against the rules; posted, and needs a scope of its own.
    case forced

    /// Whether it waits for somebody.
    package var isUnresolved: Bool { self == .open || self == .investigating }

    /// Whether it takes a permission of its own and is posted to the journal.
    package var isPosted: Bool { self == .writtenOff || self == .forced }

    /// Whether a person may bring a break from this state to `next`; what is resolved stays so.
    package func allows(_ next: BreakState) -> Bool {
        switch (self, next) {
        case (.open, .investigating): true
        case (.open, .matched), (.open, .writtenOff), (.open, .corrected), (.open, .forced): true
        case (.investigating, .matched), (.investigating, .writtenOff), (.investigating, .corrected),
            (.investigating, .forced):
            true
        default: false
        }
    }
}
