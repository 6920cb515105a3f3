import Domain

/// One thing that somebody says of a payment.
enum Hearsay: Sendable {
    /// A PSP answers what we asked.
    case answer(OperationID, Outcome)
    /// A PSP speaks by itself.
    case notice(Notice)
    /// An operator found something out.
    case word(OperationID, ManualOutcome)

    /// Tells a story; false if it cannot be told yet.
    func tell(_ story: inout Story) -> Bool {
        switch self {
        case .answer(let operation, let outcome): story.report(outcome, of: operation)
        case .notice(let notice): return story.hear(notice)
        case .word(let operation, let word):
            _ = story.refusal(orNot: operation, word)
        }
        return true
    }
}

extension Story {
    /// Hears an operator, who may be refused because it is known already.
    fileprivate mutating func refusal(orNot operation: OperationID, _ word: ManualOutcome) -> RequestRefusal? {
        do throws(RequestRefusal) {
            try request { (it) throws(RequestRefusal) in
                try it.resolve(operation, word, .init(evidence: "dashboard", reason: "asked", by: "ada"))
            }
            return nil
        } catch {
            return error
        }
    }
}
