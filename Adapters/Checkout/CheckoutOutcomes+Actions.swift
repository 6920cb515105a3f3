import AdapterKit
import Domain
import StrictJSON

/// What became of a capture, a void or a refund.
extension CheckoutOutcomeReader {
    /// What the request was answered, or the refusal to be explained by the payment.
    enum Answered {
        case outcome(Outcome)
        case refused(CheckoutRefusal)
    }

    /// Reads the reply to the request; Checkout.com accepts it and finishes later.
    func action(_ reply: CheckoutReply) -> Answered {
        switch reply {
        case .accepted(let status, let json):
            guard status == 202, let action = json["action_id"]?.stringValue, action.hasPrefix("act_"),
                json["reference"]?.stringValue == call.operation.text
            else { return .outcome(unknown("Checkout.com answered something else than the action asked for.")) }
            let state = AcceptedActions(call.pspState).adding(call.operation.text, action)
            return .outcome(.pending(Progress(reference: action, state: state)))
        case .refusal(let refusal):
            switch refusal.status {
            case 401: return .outcome(rejected(.configuration, refusal))
            case 404: return .outcome(rejected(.notFound, refusal))
            default: return .refused(refusal)
            }
        case .doubt(let reason): return .outcome(unknown(reason))
        }
    }

    /// Reads the payment's actions for ours.
    func foundAction(_ reply: CheckoutReply) -> Outcome {
        guard case .accepted(200, let json) = reply, let list = json.arrayValue else { return inquiryDoubt(reply) }
        let actions = list.compactMap(CheckoutAction.init)
        guard actions.count == list.count else { return unknown("Checkout.com lists something that is no action.") }
        let accepted = AcceptedActions(call.pspState)[call.operation.text]
        guard isOfOurs(actions) || (actions.isEmpty && accepted != nil) else {
            return unknown("Checkout.com lists the actions of another payment, or none.")
        }
        let ours = actions.filter { $0.type == actionType && isOurs($0, accepted: accepted) }
        guard let action = ours.first(where: { $0.isApproved == true }) ?? ours.first else {
            // An action that was accepted exists, listed or not.
            return accepted.map { .pending(Progress(reference: $0)) }
                ?? capturedWithoutUs(actions) ?? notFound(actionType.lowercased())
        }
        return outcome(of: action, captured: Captures(actions).total, isAccepted: accepted != nil)
    }

    /// What a list without our capture says of it where captures of somebody else's, or of Checkout.com's own making, took all that
    /// was approved; nil where something is left for it, or one of the captures is another one of ours.
    private func capturedWithoutUs(_ actions: [CheckoutAction]) -> Outcome? {
        guard let authorization = actions.first(where: { $0.type == "Authorization" && $0.isApproved == true }),
            let approved = authorization.amount, approved > 0
        else { return nil }
        let captures = Captures(actions)
        guard case .capture = call.kind, captures.total >= approved, !haveOurs(captures, authorization) else {
            return nil
        }
        return .rejected(
            Rejection(
                .alreadyCaptured,
                code: "captured",
                message: "Checkout.com lists captures of all that was approved, and none of them is ours.",
                captured: unit.minorUnits(captures.total)
            )
        )
    }

    /// Whether one of the captures is of our making: its reference is an operation, or its metadata name another one than the
    /// authorization's.
    ///
    /// What has the payment's reference has its metadata, too.
    private func haveOurs(_ captures: Captures, _ authorization: CheckoutAction) -> Bool {
        captures.done.contains { capture in
            let named = capture.reference == call.attempt.text ? nil : capture.operation
            let names = [capture.reference, named == authorization.operation ? nil : named]
            return names.contains { $0.flatMap { OperationID($0) } != nil }
        }
    }

    private func outcome(of action: CheckoutAction, captured: Int64, isAccepted: Bool) -> Outcome {
        switch (action.isApproved, action.responseCode) {
        case (true, let code?) where code.hasPrefix("10"): done(action, captured: captured)
        case (false, let code?) where CheckoutDeclines.category(code) != nil: failed(action)
        case (nil, nil) where isAccepted: .pending(Progress(reference: action.id))
        default: unknown("The action is in a state that Checkout.com does not document.")
        }
    }

    /// What an action did, where all captures took `captured`, in Checkout.com's unit.
    private func done(_ action: CheckoutAction, captured: Int64) -> Outcome {
        guard call.kind != .void else {
            let taken = unit.minorUnits(captured)
            return .succeeded(Success(reference: action.id, amount: call.money.minorUnits, capturedAmount: taken))
        }
        guard let amount = action.amount, amount > 0, amount <= asked, let minorUnits = unit.minorUnits(amount) else {
            return unknown("The action is over an amount that was not asked for.")
        }
        let captured = actionType == "Capture" ? minorUnits : 0
        return .succeeded(Success(reference: action.id, amount: minorUnits, capturedAmount: captured))
    }

    private func failed(_ action: CheckoutAction) -> Outcome {
        let decline = Self.decline(action.responseCode, action.advice)
        guard case .capture = call.kind else {
            return .rejected(Rejection(.unsupported, code: decline.code, message: decline.message))
        }
        return .declined(decline)
    }

    /// Whether the actions are those of the attempt's payment: a list does not name it, but its actions carry our
    /// references or metadata.
    func isOfOurs(_ actions: [CheckoutAction]) -> Bool {
        let attempt = call.attempt.text
        let accepted = AcceptedActions(call.pspState)[call.operation.text]
        return actions.contains { action in
            action.reference == attempt || action.attempt == attempt || isOurs(action, accepted: accepted)
        }
    }

    private func isOurs(_ action: CheckoutAction, accepted: String?) -> Bool {
        action.id == accepted || action.reference == call.operation.text || action.operation == call.operation.text
    }

    private var actionType: String {
        switch call.kind {
        case .authorize: "Authorization"
        case .capture: "Capture"
        case .void: "Void"
        case .refund: "Refund"
        }
    }
}

/// The captures in a list of actions that were approved.
private struct Captures {
    let done: [CheckoutAction]

    init(_ actions: [CheckoutAction]) { done = actions.filter { $0.type == "Capture" && $0.isApproved == true } }

    /// What they took, in Checkout.com's unit.
    var total: Int64 { done.reduce(0) { $0 + ($1.amount ?? 0) } }
}

/// Which of an attempt's operations Checkout.com accepted, and what it calls them.
///
/// Kept with the attempt as `op_…:act_… op_…:act_…`. An accepted action may not be listed yet; without this it
/// would look as if it had never arrived.
private struct AcceptedActions {
    /// More than any payment has: Checkout.com takes 150 partial captures and refunds.
    private static let limit = 160

    private var pairs: [Substring]

    /// Reads what was kept; anything that is no pair is dropped.
    init(_ state: String?) {
        pairs = (state ?? "").split(separator: " ").filter { $0.split(separator: ":").count == 2 }
    }

    /// Checkout.com's name for an operation; nil if it did not accept it, as far as we know.
    subscript(operation: String) -> String? {
        pairs.last { $0.hasPrefix(operation + ":") }.map { String($0.dropFirst(operation.count + 1)) }
    }

    /// What is to be kept once `operation` was accepted as `action`.
    func adding(_ operation: String, _ action: String) -> String {
        let others = pairs.filter { !$0.hasPrefix(operation + ":") }
        return (others + ["\(operation):\(action)"]).suffix(Self.limit).joined(separator: " ")
    }
}
