extension OrderMachine {
    /// What goes for all that one notice says.
    struct NoticeContext {
        /// How the adapter times what it works on.
        let timings: ReportTimings
        /// Whether a capture that we did not start may leave the rest of the hold.
        let severalCaptures: Bool
        /// Whether the PSP tells what became of an operation: when it is asked, or when it is sent the same again.
        let tellsOutcomes: Bool
        /// Whether a refund that we did not start leaves the marketplace its commission.
        let keepsCommission: Bool
        /// The latest moment at which it can have happened, by the clock of whoever took it in, or of the PSP; nil for now.
        let happenedBy: Timestamp?

        /// A report of an outcome.
        func report(of operation: OperationID, _ outcome: Outcome) -> Report {
            var report = Report(operation: operation, outcome: outcome, timings: timings)
            report.severalCaptures = severalCaptures
            report.happenedBy = happenedBy
            return report
        }

        /// Whether a success says too little to end an operation: that a void of ours is done, and not what had been captured
        /// before it, which the PSP says when it is asked.
        func leavesOpen(_ operation: Operation, _ outcome: Outcome) -> Bool {
            guard tellsOutcomes, operation.kind == .void, operation.wasSent, operation.isOpen,
                case .succeeded(let success) = outcome
            else { return false }
            return success.capturedAmount == nil
        }

        /// How far apart the clocks of who sends, who takes in and the PSP may be: 10 seconds.
        private static let clockDifferenceMilliseconds: Int64 = 10_000

        /// Whether a refusal may be about an operation: it was sent, or made by the PSP itself, before that happened.
        func mayRefuse(_ operation: Operation) -> Bool {
            guard let happenedBy else { return true }
            let begin = operation.origin == .gateway ? operation.firstSentAt : operation.realStart
            let end = happenedBy.adding(milliseconds: Self.clockDifferenceMilliseconds)
            return begin.map { $0 <= end } ?? false
        }
    }
}
