/// Where a payment stands: a pure function of what is known of its latest attempt's operations.
package enum PaymentState: String, Sendable, CaseIterable {
    /// Written down, not taken in hand yet.
    case created
    /// On its way to the PSP.
    case authorizing
    /// The buyer has to do something first.
    case requiresAction = "requires_action"
    /// The PSP works on it.
    case pending
    /// Nobody knows whether it was authorized; it is being found out.
    case unresolved
    /// Held on the card.
    case authorized
    /// The issuer or a risk rule said no, or approved too little.
    case declined
    /// The PSP refused the request.
    case rejected
    /// The PSP was never reached.
    case notSent = "not_sent"
    /// Being captured.
    case capturing
    /// Captured.
    case captured
    /// The capture was refused for good.
    case captureFailed = "capture_failed"
    /// Being released.
    case voiding
    /// Released.
    case voided
    /// Lapsed.
    case expired
}

extension Payment {
    /// Where the payment stands.
    package var state: PaymentState {
        let attempt = attempt
        if attempt.isApproved { return attempt.stateOnceAuthorized }
        return switch attempt.authorizationState {
        case .open: attempt.authorization.leases == 0 ? .created : .authorizing
        case .unknown: .unresolved
        case .pending: .pending
        case .actionRequired: .requiresAction
        case .notSent: .notSent
        case .declined: .declined
        case .rejected, .reversed: .rejected
        case .succeeded: attempt.stateOnceAuthorized
        }
    }

    /// Whether the buyer has something to do for it that somebody still waits for.
    package var waitsForBuyer: Bool { state == .requiresAction && canceledAt == nil }

    /// Why it is declined, if it is.
    package var decline: Decline? {
        if case .declined(let decline) = attempt.authorization.state { return attempt.isApproved ? nil : decline }
        guard attempt.isPartialApproval else { return nil }
        return Decline(
            code: "partial_approval",
            category: .partialApproval,
            message: "The PSP approved less than was asked, which was given back."
        )
    }

    /// What the policy may make of the payment.
    package var standing: Standing {
        guard canceledAt == nil else { return .failed }
        return switch state {
        case .created, .authorizing, .requiresAction, .pending, .unresolved: .open
        case .authorized, .capturing, .captured: attempt.standingOnceApproved
        case .declined, .rejected, .notSent, .captureFailed, .voiding, .voided, .expired: .failed
        }
    }

    /// What the policy may make of a payment.
    package enum Standing: Sendable {
        /// It may still be authorized.
        case open
        /// It is authorized in full, or more.
        case authorized
        /// It will not be authorized, or no longer is.
        case failed
    }
}

extension Attempt {
    /// What the policy may make of what is approved; of a part, nothing before the approval itself is heard.
    fileprivate var standingOnceApproved: Payment.Standing {
        if isApprovedInPart { return authorization.isOpen ? .open : .failed }
        return isPartialApproval ? .failed : .authorized
    }

    fileprivate var stateOnceAuthorized: PaymentState {
        if isPartialApproval { return held == 0 ? .declined : .voiding }
        if captured > 0 { return .captured }
        let open = openOperations
        if open.contains(where: { $0.kind == .capture }) { return .capturing }
        if operations.contains(where: { $0.kind == .void && $0.state == .succeeded }) {
            if hasFailedCapture { return .captureFailed }
            return isLapsed ? .expired : .voided
        }
        if open.contains(where: { $0.kind == .void }) { return .voiding }
        return hasFailedCapture ? .captureFailed : .authorized
    }
}
