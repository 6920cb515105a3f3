package import Domain
package import Storage
package import StrictJSON

/// Writes what only lists have as the API shows it.
package enum ListPresenter {
    /// A dispute with its payment; to its merchant the order's reference is nobody's business.
    static func json(_ item: DisputeList.Item, to reader: OrderPresenter.Reader = .marketplace) -> JSON {
        let (dispute, payment) = (item.dispute, item.payment)
        let attempt = payment.attempts.first { $0.id == dispute.attempt } ?? payment.attempt
        return .object(omittingAbsent: [
            "id": .string(dispute.id.text), "order": .string(item.order.id.text),
            "order_reference": reader == .marketplace ? .optional(item.order.reference) : .none,
            "payment": .string(payment.id.text), "merchant": .string(payment.merchant.text),
            "external_identifier": .string(payment.externalIdentifier), "status": .string(dispute.state.rawValue),
            "currency": .string(item.order.amount.currency.code), "amount": .integer(dispute.amount),
            "fee": .integer(dispute.fee), "reason": .optional(dispute.reason),
            "psp": .string(attempt.route.psp), "psp_account": .string(attempt.route.pspAccount),
            "psp_reference": .string(dispute.reference), "payment_psp_reference": .optional(attempt.pspReference),
            "respond_by": .optional(dispute.respondBy?.description),
            "status_at": .optional(dispute.stateAt?.description),
            "created_at": .string(dispute.heardAt.description),
        ]).withDecimals(in: item.order.amount.currency)
    }

    /// Something that a person should look at.
    static func json(_ item: AttentionList.Item) -> JSON {
        let (attention, payment) = (item.attention, item.payment)
        return [
            "id": .string(name(of: item.place)), "order": .string(item.order.id.text),
            "payment": .string(payment.id.text), "operation": .string(attention.operation.text),
            "merchant": .string(payment.merchant.text), "external_identifier": .string(payment.externalIdentifier),
            "psp_account": .string(payment.attempt.route.pspAccount), "reason": .string(attention.reason.rawValue),
            "currency": .string(item.order.amount.currency.code), "amount_at_risk": .integer(attention.amountAtRisk),
            "webhook": .optional(attention.webhook?.text), "finding": .null,
            "created_at": .string(attention.since.description),
        ]
    }

    /// A PSP account whose credentials are refused, as something that a person should look at: about no order.
    static func json(_ refusal: CredentialRefusal) -> JSON {
        [
            "id": .string(name(of: refusal)), "order": .null, "payment": .null, "operation": .null, "merchant": .null,
            "external_identifier": .null, "psp_account": .string(refusal.account),
            "reason": .string(CredentialRefusal.reason), "currency": .null, "amount_at_risk": .null, "webhook": .null,
            "finding": .string(refusal.finding), "created_at": .string(refusal.since.description),
        ]
    }

    /// What an item about an account's credentials is called: the account and the reason.
    static func name(of refusal: CredentialRefusal) -> String { "\(refusal.account).\(CredentialRefusal.reason)" }

    /// What keeps orders from being followed in Wallet, or merchant tokens' events away, as something that a person should look at.
    static func json(_ problem: WalletProblem) -> JSON {
        let order = problem.subject.flatMap { OrderID($0) }
        let payment = problem.subject.flatMap { PaymentID($0) }
        return [
            "id": .string(name(of: problem)), "order": .optional(order?.text), "payment": .optional(payment?.text),
            "operation": .null, "merchant": .null, "external_identifier": .null, "psp_account": .null,
            "reason": .string(problem.kind.rawValue), "currency": .null, "amount_at_risk": .null, "webhook": .null,
            "finding": .string(problem.finding), "created_at": .string(problem.since.description),
        ]
    }

    /// What an item about orders in Wallet, or about merchant tokens, is called: there is one of a kind.
    static func name(of problem: WalletProblem) -> String { name(of: problem.kind) }

    private static func name(of kind: WalletProblem.Kind) -> String {
        "\(kind.isAboutOrders ? "wallet_orders" : "apple_pay").\(kind.rawValue)"
    }

    /// The reasons of items that are about no order's money.
    static let standingReasons = [CredentialRefusal.reason] + WalletProblem.Kind.allCases.map(\.rawValue)

    /// Whether a name is that of such an item, whether it is there still or not.
    static func isStanding(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).map { String(Substring($0)) }
        guard parts.count == 2 else { return false }
        if parts[1].utf8.elementsEqual(CredentialRefusal.reason.utf8) { return TextRule.slug.allows(parts[0]) }
        guard let kind = WalletProblem.Kind(rawValue: parts[1]) else { return false }
        return name.utf8.elementsEqual(Self.name(of: kind).utf8)
    }

    /// What such items are ordered by: accounts first, by their names.
    static func standingOrder(_ name: String) -> String {
        let end = "." + CredentialRefusal.reason
        let isAccount = name.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
        return isAccount ? "0\(name.dropLast(end.count))" : "1\(name)"
    }

    /// What an item to look at is called: the operation and the reason.
    static func name(of place: AttentionList.Place) -> String { "\(place.operation).\(place.reason.rawValue)" }

    /// The place of an item of that name; nil for what is no name.
    static func place(_ name: String) -> AttentionList.Place? {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).map { String(Substring($0)) }
        guard parts.count == 2, let operation = OperationID(parts[0]), let reason = Attention.Reason(rawValue: parts[1])
        else { return nil }
        return AttentionList.Place(operation, reason)
    }

    /// An amount that is held on a card.
    static func json(_ item: HoldList.Item) -> JSON {
        let (attempt, payment) = (item.attempt, item.payment)
        let document: JSON = [
            "id": .string(attempt.id.text), "order": .string(item.order.id.text),
            "payment": .string(payment.id.text), "merchant": .string(payment.merchant.text),
            "external_identifier": .string(payment.externalIdentifier), "psp": .string(attempt.route.psp),
            "psp_account": .string(attempt.route.pspAccount), "psp_reference": .optional(attempt.pspReference),
            "currency": .string(item.order.amount.currency.code), "amount": .integer(attempt.held),
            "capture_before": .optional(attempt.expiresAt?.description),
            "created_at": .string(item.order.createdAt.description),
        ]
        return document.withDecimals(in: item.order.amount.currency)
    }

    /// A difference between files and books; to the merchant it is about without the lines of files and the words about
    /// them, which may name other merchants' accounts.
    package static func json(_ found: StoredBreak, to reader: OrderPresenter.Reader = .marketplace) -> JSON {
        let (difference, isWhole) = (found.difference, reader == .marketplace)
        let lines: [JSON] = difference.lines.map { place in
            [
                "file": .string(place.file), "member": .integer(Int64(place.member)),
                "row": .integer(Int64(place.row)),
            ]
        }
        return .object(omittingAbsent: [
            "id": .string(found.id.text), "type": .string(difference.type.rawValue),
            "status": .string(found.state.rawValue), "currency": .optional(difference.currency?.code),
            "amount": .integer(difference.amount), "day": .optional(difference.day),
            "merchant": .optional(difference.merchant?.text), "psp": .optional(difference.psp),
            "psp_account": .optional(difference.pspAccount), "order": .optional(difference.order?.text),
            "payment": .optional(difference.payment?.text),
            "lines": isWhole ? .array(lines) : .none,
            "explanation": isWhole ? .string(difference.explanation) : .none,
            "suggestion": isWhole ? .string(difference.suggestion) : .none,
            "created_at": .string(found.openedAt.description), "resolved_at": .optional(found.resolvedAt?.description),
        ])
    }

    /// A difference with what was done about it.
    static func json(
        _ found: StoredBreak,
        _ actions: [BreakAction],
        to reader: OrderPresenter.Reader = .marketplace
    ) -> JSON {
        let done: [JSON] = actions.map { action in
            [
                "at": .string(action.at.description), "from": .string(action.from.rawValue),
                "to": .string(action.to.rawValue), "actor": .string(action.actor), "reason": .string(action.reason),
            ]
        }
        return .object((json(found, to: reader).objectValue ?? []) + [.init("actions", .array(done))])
    }

    /// A PSP account, without its secrets.
    package static func json(_ account: PSPAccount, _ refusal: CredentialRefusal? = nil) -> JSON {
        let refused: JSON? = refusal.map { refusal in
            [
                "objection": .string(refusal.objection.rawValue), "call": .string(refusal.call),
                "status": .integer(Int64(refusal.status)), "code": .optional(refusal.code),
                "since": .string(refusal.since.description), "last_at": .string(refusal.refusedAt.description),
            ]
        }
        return [
            "id": .string(account.id), "psp": .string(account.psp), "status": .string(account.status.rawValue),
            "base_url": .string(account.baseURL), "credentials_refused": refused ?? .null,
            "updated_at": .string(account.updatedAt.description),
        ]
    }

    /// What a balance is called: the merchant's id and the currency.
    static func name(of balance: MerchantBalance) -> String { "\(balance.merchant).\(balance.currency.code)" }

    /// What stands between the marketplace and a merchant in a currency.
    static func json(_ balance: MerchantBalance) -> JSON {
        [
            "id": .string(name(of: balance)), "merchant": .string(balance.merchant.text),
            "external_identifier": .string(balance.externalIdentifier),
            "currency": .string(balance.currency.code), "payable": .integer(balance.payable),
            "receivable": .integer(balance.receivable),
        ]
    }
}

/// Writes what was told to whom, and what PSPs told, as the API shows it.
enum DeliveryPresenter {
    /// An endpoint of callbacks, without its secrets.
    static func json(
        _ endpoint: CallbackEndpoint,
        name: String?,
        counts: (waiting: Int64, dead: Int64)?
    ) -> JSON {
        let health = endpoint.health
        return [
            "id": .string(endpoint.id.text), "merchant": .optional(endpoint.merchant?.text),
            "external_identifier": .optional(name), "url": .string(endpoint.url),
            "status": .string(endpoint.state.rawValue), "reason": .optional(endpoint.reason?.rawValue),
            "waiting": .integer(counts?.waiting ?? 0), "dead": .integer(counts?.dead ?? 0),
            "failures": .integer(health.failures), "failing_since": .optional(health.failingSince?.description),
            "retry_at": .optional(health.retryAt?.description), "last_status": .optional(health.lastStatus),
            "last_error": .optional(health.lastError),
            "last_tried_at": .optional(health.lastTriedAt?.description),
            "last_delivered_at": .optional(health.lastDeliveredAt?.description),
            "created_at": .string(endpoint.createdAt.description),
        ]
    }

    /// A callback, without what it says.
    static func json(_ callback: StoredCallback) -> JSON {
        let content = callback.content
        return [
            "id": .string(callback.id.text), "type": .string(content.type), "status": .string(callback.state.rawValue),
            "endpoint": .string(callback.endpoint.text), "merchant": .optional(content.merchant?.text),
            "order": .optional(content.order?.text), "payment": .optional(content.payment?.text),
            "sequence": .integer(content.sequence), "attempts": .integer(callback.attempts),
            "due_at": .optional(callback.dueAt?.description),
            "settled_at": .optional(callback.settledAt?.description), "last_status": .optional(callback.lastStatus),
            "last_error": .optional(callback.lastError), "created_at": .string(content.at.description),
        ]
    }

    /// A callback with what it says.
    static func jsonWithBody(_ callback: StoredCallback) -> JSON {
        let body = (try? JSON.parse(text: callback.content.payload)) ?? .null
        return .object((json(callback).objectValue ?? []) + [.init("body", body)])
    }

    /// An event that a PSP told.
    static func json(_ entry: WebhookEntry) -> JSON {
        [
            "id": .string(entry.id.text), "psp": .string(entry.psp), "psp_account": .string(entry.account),
            "type": .string(entry.type), "psp_reference": .string(entry.eventID),
            "status": .string(entry.state.rawValue), "problem": .optional(entry.problem),
            "order": .optional(entry.order?.text), "attempts": .integer(entry.attempts),
            "body_sha256": .string(entry.bodyHash), "due_at": .optional(entry.dueAt?.description),
            "settled_at": .optional(entry.settledAt?.description), "created_at": .string(entry.receivedAt.description),
        ]
    }
}
