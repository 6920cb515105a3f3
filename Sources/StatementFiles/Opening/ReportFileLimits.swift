/// How far an archive may expand.
///
/// A report of ten million lines has two or three gigabytes and is packed to a tenth or a twentieth; deflate can do no
/// more than 1,032 to 1.
package struct ReportFileLimits: Hashable, Sendable {
    /// The most bytes that come out of an archive, over all its members: 32 GiB.
    package var expandedBytes: Int64 = 34_359_738_368
    /// The most bytes that come out for each byte that goes in, beyond ``ratioFreeBytes``: 250.
    ///
    /// Lines that differ in nothing but a number still need a hundredth of their size.
    package var expansionRatio: Int64 = 250
    /// How many bytes may come out before the ratio is looked at: 16 MiB.
    package var ratioFreeBytes: Int64 = 16_777_216
    /// The most members of an archive, folders included: 1,000.
    package var memberCount = 1_000

    /// Makes the limits that hold for operators' files.
    package init() {}
}
