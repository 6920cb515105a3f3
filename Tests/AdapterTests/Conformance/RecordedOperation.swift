/// An operation, or an inquiry after one, as the folders of recorded replies are named.
enum RecordedOperation: String, CaseIterable, Sendable {
    case authorize
    case capture
    case void
    case refund
    case inquireAuthorize = "inquire-authorize"
    case inquireCapture = "inquire-capture"
    case inquireVoid = "inquire-void"
    case inquireRefund = "inquire-refund"
}
