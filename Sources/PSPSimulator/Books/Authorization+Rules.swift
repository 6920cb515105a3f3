/// What may be asked of an authorization in its state.
extension Authorization {
    /// The change as the state makes it: a reversal of what has been captured and has settled is a refund of what is
    /// left.
    func resolved(_ change: ChangeCommand, at now: Int64) -> ChangeCommand {
        guard change.isReversal, status == .captured, !isUnsettled(at: now) else { return change }
        var refund = change
        refund.kind = .refund
        return refund
    }

    /// The amount that the change may act on; or what was asked, and why it will fail, if the PSP takes all changes.
    ///
    /// - Throws: ``Refusal`` if it may not and the PSP says so at once.
    func consider(_ change: ChangeCommand, at now: Int64) throws(Refusal) -> (amount: Int64, refusal: Refusal?) {
        do throws(Refusal) {
            return (try admit(change, at: now), nil)
        } catch {
            guard change.pace?.takesAll == true else { throw error }
            return (change.amount ?? 0, error)
        }
    }

    /// The amount that the change may act on.
    ///
    /// - Throws: ``Refusal`` if it may not.
    func admit(_ change: ChangeCommand, at now: Int64) throws(Refusal) -> Int64 {
        switch change.kind {
        case .capture: try admitCapture(of: change.amount ?? held, isPaced: change.pace != nil)
        case .void: try admitVoid(at: now)
        case .refund: try admitRefund(of: change.amount ?? refundable, at: now)
        case .authorize, .inquire: throw .unsupported
        }
    }

    /// A PSP that works on captures takes the next one meanwhile, unless the last one has been asked for.
    private func admitCapture(of amount: Int64, isPaced: Bool) throws(Refusal) -> Int64 {
        switch status {
        case .authorized: break
        case .captured: throw .alreadyCaptured
        case .voided, .canceled: throw .alreadyVoided
        case .expired: throw .expired
        case .pending, .requiresAction, .declined: throw .notAuthorized
        }
        let open = operations.filter { $0.status == .pending && $0.refusal == nil }
        guard open.allSatisfy({ isPaced && $0.kind == .capture && !$0.isFinal }) else { throw .inProgress }
        guard amount > 0, amount <= held - pending(.capture) else { throw .amountTooLarge }
        return amount
    }

    private func admitVoid(at now: Int64) throws(Refusal) -> Int64 {
        switch status {
        case .pending, .requiresAction:
            guard !operations.dropFirst().contains(where: { $0.status == .pending }) else { throw .inProgress }
            return 0
        case .authorized:
            guard !hasPendingOperation else { throw .inProgress }
            return held
        case .captured:
            guard isUnsettled(at: now), refunded == 0, disputes.isEmpty else { throw .alreadyCaptured }
            guard !hasPendingOperation else { throw .inProgress }
            return captured
        case .voided, .canceled, .declined: throw .alreadyVoided
        case .expired: throw .expired
        }
    }

    private func admitRefund(of amount: Int64, at now: Int64) throws(Refusal) -> Int64 {
        switch status {
        case .captured: break
        case .authorized: guard captured > 0 else { throw .notCaptured }
        case .voided, .canceled: throw .alreadyVoided
        case .expired: throw .expired
        case .pending, .requiresAction, .declined: throw .notAuthorized
        }
        guard !isUnsettled(at: now) else { throw .notSettledYet }
        let voids = operations.contains { $0.kind == .void && $0.status == .pending }
        guard !voids else { throw .inProgress }
        guard amount > 0, amount <= refundable else { throw .amountTooLarge }
        return amount
    }

    private func isUnsettled(at now: Int64) -> Bool {
        guard case .settle(let milliseconds) = script.effect(of: .refund), let capturedAt else { return false }
        return now < capturedAt + milliseconds
    }
}
