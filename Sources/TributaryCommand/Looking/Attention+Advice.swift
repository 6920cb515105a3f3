import Domain

extension Attention {
    /// What a person can do about it, in a sentence.
    var advice: String {
        switch reason {
        case .unknownOutcome, .overdue: "Look it up at the PSP and say what became of it: orders resolve."
        case .compensationRefused:
            "Release or refund it at the PSP; if no webhook tells of it, enter it: orders record-void or record-refund."
        case .captureFailed: "Capture it again or let the hold go; what was sold is not paid."
        case .successAfterRefusal: "Compare with the PSP: what was held to be refused was done."
        case .amountMismatch: "Compare with the PSP: it acted on another amount than it was asked to."
        case .refundFailed: "Pay the buyer back another way, or refund again."
        case .outcomeReversed: "Compare with the PSP: what had succeeded failed after all."
        case .overRefunded: "Compare with the PSP: contest the dispute, or ask the buyer for what came back twice."
        case .overCaptured: "Compare with the PSP, and refund what was taken too much."
        case .captureVoided:
            "Compare with the PSP: the sale was voided there before it settled, so the merchant is paid nothing of it."
        case .duplicateEffect:
            "Compare with the PSP: it did twice what was asked once; have one of the two undone there, or refunded."
        case .webhookProblem:
            "See webhooks show \(webhook?.text ?? "");"
                + " mend the cause and webhooks replay, or enter it by hand (orders record-dispute, record-refund,"
                + " record-capture, record-void) and webhooks dismiss."
        }
    }
}
