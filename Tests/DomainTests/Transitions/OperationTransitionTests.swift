import Domain
import Testing

/// What each kind of operation becomes of everything that is heard of it, in each state: by the ranks of states, written
/// down here once more.
@Suite("What an operation becomes")
struct OperationTransitionTests {
    /// The states by name and rank.
    private enum Known: String, CaseIterable {
        case open, unknown, pending
        case actionRequired = "action_required"
        case notSent = "not_sent"
        case declined, rejected, succeeded, reversed

        var rank: Int {
            switch self {
            case .open: 0
            case .unknown: 1
            case .pending, .actionRequired: 2
            case .notSent, .declined, .rejected: 3
            case .succeeded: 4
            case .reversed: 5
            }
        }

        /// A state that is new has no name here, and does not compile.
        init(_ state: OperationState) {
            self =
                switch state {
                case .open: .open
                case .unknown: .unknown
                case .pending: .pending
                case .actionRequired: .actionRequired
                case .notSent: .notSent
                case .declined: .declined
                case .rejected: .rejected
                case .succeeded: .succeeded
                case .reversed: .reversed
                }
        }

        /// What is heard that leads to it; nothing does to the first.
        static let heard = Self.allCases.filter { $0 != .open }
    }

    /// Has an operation heard of as being in a state.
    private static func tell(_ known: Known, of operation: Operation, _ action: Notice.Action, to story: inout Story) {
        let id = operation.id
        switch known {
        case .open: break
        case .unknown: story.report(.timedOut, of: id)
        case .pending: story.report(.inProgress, of: id)
        case .actionRequired: story.report(.buyerHasToAct(), of: id)
        case .notSent: story.report(.notSent(reason: "no connection"), of: id)
        case .declined: story.report(.refusedByIssuer, of: id)
        case .rejected: story.report(.refusedByPSP(.configuration), of: id)
        case .succeeded: story.report(.approved(operation.amount, "obj_1"), of: id)
        case .reversed: _ = story.hear(Notice(about: .init(operation: id.text), .reversed(action, .later)))
        }
    }

    private static func action(of kind: Operation.Kind) -> Notice.Action {
        switch kind {
        case .authorize: .authorize
        case .capture: .capture
        case .void: .void
        case .refund, .reverse: .refund
        }
    }

    private static func state(of id: OperationID, in story: Story) throws -> Known {
        let all = story.order.payments.flatMap(\.attempts).flatMap(\.operations)
        return Known(try #require(all.first { $0.id == id }).state)
    }

    /// What is known after something was heard: the higher rank; of the same one below the definite, the later.
    private static func expected(_ kind: Operation.Kind, _ known: Known, hearing heard: Known) -> Known {
        // "Nothing left" says nothing of what was tried before, and what undoes or captures is tried again.
        let said = heard == .notSent && (kind != .authorize || known != .open) ? Known.unknown : heard
        // What releases and was refused, having left nothing, is begun anew at once.
        if kind == .void, heard == .rejected, known.rank < 2 { return .open }
        let givesWay = said.rank > known.rank || (said.rank == known.rank && said.rank < 3)
        return givesWay ? said : known
    }

    @Test("follows from the ranks of states, for every kind, state and word", arguments: Deed.all)
    func table(_ deed: Deed) throws {
        let action = Self.action(of: deed.kind)
        for known in Known.allCases {
            for heard in Known.heard {
                var story = try deed.begin()
                let operation = try #require(story.last(deed.kind, 0))
                // Begun anew at once, so that it never stays so unless the PSP had named something before.
                if known == .rejected, deed.kind == .void { Self.tell(.pending, of: operation, action, to: &story) }
                if known == .notSent {
                    try story.request { (it) throws(RequestRefusal) in
                        // Only whoever performs it knows better while it is in hand.
                        try it.apply(.releaseLeases(of: "one"))
                        try it.resolve(operation.id, .notSent, .init(evidence: "log", reason: "asked", by: "ada"))
                    }
                } else {
                    Self.tell(known, of: operation, action, to: &story)
                }
                try #require(try Self.state(of: operation.id, in: story) == known, "cannot be made \(known)")
                Self.tell(heard, of: operation, action, to: &story)
                let (state, expected) = (
                    try Self.state(of: operation.id, in: story), Self.expected(deed.kind, known, hearing: heard)
                )
                #expect(state == expected, "\(known), told \(heard)")
            }
        }
    }
}
