/// What a PSP made of an authorization, as far as decisions go.
enum Reply: CaseIterable, Sendable {
    case authorized
    case partly
    case declined
    case rejected
    case notSent
    case unknown
    case pending
    case actionRequired

    var isOpen: Bool { self == .unknown || self == .pending || self == .actionRequired }
}
