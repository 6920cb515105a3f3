import StrictJSON

/// What became of orders that came faster than they could be served.
struct OverloadResult {
    /// The answer to one order.
    struct Answer: Sendable {
        /// What it was.
        enum Kind: Hashable, Sendable {
            /// The order was placed; a payment of its may never have been sent.
            case accepted(isUnsent: Bool)
            /// It was refused with 503.
            case refused
            /// It was something else, or never came.
            case none
        }

        /// What it was.
        let kind: Kind
        /// How long it took from when the order was due, in milliseconds.
        let milliseconds: Double
    }

    /// How long a refusal may take, in milliseconds.
    static let refusalBar = 100.0

    private let answers: [Answer]

    init(_ answers: [Answer]) { self.answers = answers }

    /// How many orders came.
    var offered: Int { answers.count }
    /// How many were placed.
    var accepted: Int { answers.count { $0.isAccepted } }
    /// How many were refused.
    var refused: Int { answers.count { $0.kind == .refused } }
    /// How many got no answer, or another one.
    var lost: Int { answers.count { $0.kind == .none } }
    /// How many were refused in time.
    var refusedInTime: Int { answers.count { $0.kind == .refused && $0.milliseconds <= Self.refusalBar } }

    /// How many were answered before their deadline though a payment had not been sent: our own queues failed them.
    func failedByUs(before deadline: Double) -> Int {
        answers.count { $0.kind == .accepted(isUnsent: true) && $0.milliseconds < deadline }
    }

    /// The time that so many of a hundred refusals did not exceed, in milliseconds.
    func refusal(_ percent: Double) -> Double { LoadResult.percentile(percent, of: times { $0.kind == .refused }) }

    /// The time that so many of a hundred placed orders did not exceed, in milliseconds.
    func acceptance(_ percent: Double) -> Double { LoadResult.percentile(percent, of: times(\.isAccepted)) }

    private func times(_ isCounted: (Answer) -> Bool) -> [Double] {
        answers.filter(isCounted).map(\.milliseconds).sorted()
    }
}

extension OverloadResult.Answer {
    fileprivate var isAccepted: Bool { if case .accepted = kind { true } else { false } }
}
