import StrictJSON

/// How the books are watched while serving.
package struct LedgerSettings: Hashable, Sendable {
    /// How long after the books were verified that is done again, in milliseconds; 0 for never.
    package var verifyEveryMilliseconds: Int64 = 3_600_000

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        verifyEveryMilliseconds = body.duration("verify_every", in: 0...30 * 86_400_000) ?? verifyEveryMilliseconds
    }
}
