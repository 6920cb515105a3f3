/// When the machine looks.
enum Moment: CaseIterable, Sendable {
    case beforeTheDeadline
    case afterTheDeadline
    case afterDecideBy
}
