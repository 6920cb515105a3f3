/// Whether a field must be there.
package enum Presence: Hashable, Sendable {
    /// Absence is a violation (`missing_field`), and so is `null` (`wrong_type`).
    case required
    /// The field may be absent, and `null` unless ``ObjectReader/refusesNull``; both read as nil without a violation.
    case optional
}
