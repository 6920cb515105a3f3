import Domain

extension CommandFailure {
    /// Says why nothing was done about a break.
    init(_ refusal: BreakRefusal) {
        switch refusal {
        case .unknown(let id): self = .finding("there is no break \(id)")
        case .illegal(let from, let to):
            self = .unusable("a break that is \(from.rawValue) does not become \(to.rawValue)")
        case .changed(let state):
            self = .unusable("somebody else was faster: it is \(state.rawValue) now; look at it again")
        case .unusableText:
            self = .unusable("--reason is a line of 1 to \(BreakDecision.textLimit) bytes")
        }
    }
}
