import Domain
import Testing

/// Something that we ask of a PSP, and how an order comes to ask it.
struct Deed: Sendable, CustomTestStringConvertible {
    let kind: Operation.Kind
    /// An order that asks it, just now, of its first payment.
    let begin: @Sendable () throws -> Story

    var testDescription: String { "\(kind)" }

    /// One line for each operation there is.
    static let all: [Deed] = [
        Deed(kind: .authorize) { try Story(patient) },
        Deed(kind: .capture) { try asking(.accepted(patient)) { (it) throws(RequestRefusal) in try it.capture() } },
        Deed(kind: .void) { try asking(.accepted(patient)) { (it) throws(RequestRefusal) in try it.cancelAll() } },
        Deed(kind: .refund) { try asking(.captured(patient)) { (it) throws(RequestRefusal) in try it.refund(.all) } },
        Deed(kind: .reverse) { try reversing(.captured(patient)) },
    ]

    private static let patient = Checkout(
        amounts: [300],
        capture: .manual,
        onDeadline: .continue,
        decideByMilliseconds: 86_400_000
    )

    private static func asking(
        _ story: Story,
        _ request: (inout Story) throws(RequestRefusal) -> Void
    ) throws(RequestRefusal) -> Story {
        var story = story
        try request(&story)
        return story
    }

    private static func reversing(_ story: Story) throws -> Story {
        var story = try asking(story) { (it) throws(RequestRefusal) in try it.refund(.all) }
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        return story
    }
}

extension Story {
    fileprivate mutating func cancelAll() throws(RequestRefusal) {
        try request { (it) throws(RequestRefusal) in try it.cancel() }
    }
}
