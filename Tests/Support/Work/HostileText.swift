/// Text that costs the square of its length where it is compared, hashed or searched as Swift does, and as much ASCII.
package enum HostileText: String, CaseIterable, Sendable {
    /// An "e" and combining marks of two classes by turns, which sorting moves furthest.
    case marks
    /// The same in runs of thirty with a letter between, which no rule about runs refuses.
    case boundedMarks
    /// Regional indicators, of which pairs are flags: where one ends is known from the first of the run only.
    case flags

    /// As much work as so many times the same length of ASCII.
    ///
    /// A look at marks is dearer than one at ASCII, for which Swift has a short way: readers do up to twelve times as much
    /// work. One that takes the square does more than a hundred times as much at the lengths that are tested.
    package static let bound = 24.0

    /// Text of about so many bytes, never more.
    package func text(_ bytes: Int) -> String {
        switch self {
        case .marks: "e" + String(repeating: "\u{301}\u{316}", count: max(0, bytes - 1) / 4)
        case .boundedMarks:
            String(repeating: "e" + String(repeating: "\u{301}\u{316}", count: 15), count: bytes / 61)
        case .flags: String(repeating: "\u{1F1E6}", count: bytes / 4)
        }
    }

    /// As many bytes of ASCII as ``text(_:)`` has.
    package func ascii(_ bytes: Int) -> String { String(repeating: "x", count: text(bytes).utf8.count) }
}
