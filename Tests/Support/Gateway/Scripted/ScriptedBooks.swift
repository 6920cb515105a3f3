import AdapterKit
import StrictJSON

/// The books of a scripted PSP: what it holds, took, released and gave back.
struct ScriptedBooks {
    private(set) var authorizations: [ScriptedAuthorization] = []
    private var kept: [String: WireReply] = [:]
    private let keys: ScriptedKeys
    private let visibilityMilliseconds: Int64

    /// Books of a PSP that knows repeated requests by their key as `keys` says, and shows what it did to inquiries only
    /// so many milliseconds later.
    init(keys: ScriptedKeys, visibilityMilliseconds: Int64) {
        self.keys = keys
        self.visibilityMilliseconds = visibilityMilliseconds
    }

    /// Whether an error of its own is answered again under the same key.
    var repeatsErrors: Bool { keys == .all }

    /// The answer that is kept under a request's key; nil if none is.
    func keptAnswer(to request: ScriptedRequest) -> WireReply? {
        keys == .none ? nil : request.key.flatMap { kept[$0] }
    }

    /// A request was answered with an error of the PSP's own, which replaces what is kept, or keeps anything from being
    /// kept.
    mutating func answeredError(_ request: ScriptedRequest) {
        guard let key = request.key else { return }
        switch keys {
        case .none, .outcomes: return
        case .all: kept[key] = ScriptedReply.serverError
        case .successes: kept[key] = nil
        }
    }

    /// The token of the authorization that a request is about.
    func token(of request: ScriptedRequest) -> String? {
        if request.kind == .authorize { return request.token }
        if request.kind == .forget { return request.target.name }
        return index(of: request.target).map { authorizations[$0].token }
    }

    /// Acts on a request, or gives the kept answer to one that came before.
    mutating func handle(
        _ request: ScriptedRequest,
        _ verdict: ScriptedBehaviour.Verdict,
        at now: Int64
    ) -> WireReply {
        if request.kind == .inquire { return answer(request.target, at: now) }
        if request.kind == .forget { return ScriptedReply.forgotten(forget(request.target.name)) }
        if let reply = keptAnswer(to: request) { return reply }
        if case .refuse(let code) = verdict { return ScriptedReply.refusal(code) }
        let reply =
            request.kind == .authorize ? authorize(request, verdict, at: now) : change(request, verdict, at: now)
        if let key = request.key, reply.status < 400 || reply.status == 402 { kept[key] = reply }
        return reply
    }

    /// The buyer took the step that the authorization with this token asked for.
    mutating func finishAction(of token: String) {
        for index in authorizations.indices
        where authorizations[index].token == token && authorizations[index].status == "requires_action" {
            approve(&authorizations[index], authorizations[index].amount)
        }
    }

    /// The PSP lets go of what it holds for this token.
    mutating func expire(_ token: String) {
        for index in authorizations.indices where authorizations[index].token == token {
            guard authorizations[index].held > 0 else { continue }
            authorizations[index].voided += authorizations[index].held
            authorizations[index].status = "expired"
        }
    }

    /// The PSP takes what it holds for this token.
    mutating func captureSilently(_ token: String) {
        for index in authorizations.indices where authorizations[index].token == token {
            guard authorizations[index].held > 0 else { continue }
            authorizations[index].captured += authorizations[index].held
            authorizations[index].captures += 1
            authorizations[index].status = "captured"
        }
    }

    /// What was taken for this token has not settled: it can be undone as a whole, and not refunded.
    mutating func unsettle(_ token: String) {
        for index in authorizations.indices where authorizations[index].token == token {
            authorizations[index].isUnsettled = true
        }
    }

    /// Forgets a method; false if it is not kept.
    private mutating func forget(_ method: String) -> Bool {
        guard let index = authorizations.firstIndex(where: { $0.storedMethod == method }) else { return false }
        authorizations[index].isForgotten = true
        return true
    }

    private mutating func authorize(
        _ request: ScriptedRequest,
        _ verdict: ScriptedBehaviour.Verdict,
        at now: Int64
    ) -> WireReply {
        var made = ScriptedAuthorization(
            id: "auth_\(authorizations.count + 1)",
            reference: request.reference,
            token: request.token,
            amount: request.amount,
            currency: request.currency,
            status: "pending",
            madeAt: now
        )
        made.capturesAtOnce = request.captures || verdict == .capture
        made.storesFor = request.storesFor
        switch verdict {
        case .approve, .capture, .refuse: approve(&made, request.amount)
        case .approvePart(let amount): approve(&made, amount)
        case .decline(let code): decline(&made, code)
        case .pending(let inquiries): made.inquiriesLeft = inquiries
        case .pendingFailure(let inquiries): (made.inquiriesLeft, made.fails) = (inquiries, true)
        case .requireAction(let milliseconds):
            made.status = "requires_action"
            made.actionExpiresAt = now / 1000 + milliseconds
        }
        authorizations.append(made)
        return ScriptedReply.made(ScriptedReply.authorization(made), isDeclined: made.status == "declined")
    }

    private func approve(_ authorization: inout ScriptedAuthorization, _ amount: Int64) {
        authorization.authorized = amount
        authorization.actionExpiresAt = nil
        authorization.status = authorization.capturesAtOnce ? "captured" : "authorized"
        guard authorization.capturesAtOnce else { return }
        authorization.captured = amount
        authorization.captures += 1
    }

    private func decline(_ authorization: inout ScriptedAuthorization, _ code: String) {
        authorization.status = "declined"
        authorization.declineCode = code
    }

    private mutating func change(
        _ request: ScriptedRequest,
        _ verdict: ScriptedBehaviour.Verdict,
        at now: Int64
    ) -> WireReply {
        guard let index = index(of: request.target) else { return ScriptedReply.refusal("not_found") }
        if let code = obstacle(request, authorizations[index]) { return ScriptedReply.refusal(code) }
        let authorization = authorizations[index]
        var made = ScriptedAuthorization.Operation(
            id: "\(request.kind.rawValue)_\(authorization.operations.count + 1)",
            reference: request.reference,
            kind: request.kind,
            amount: request.kind == .void ? max(authorization.held, authorization.captured) : request.amount,
            isFinal: request.isFinal,
            status: "pending",
            madeAt: now
        )
        switch verdict {
        case .pending(let inquiries): made.inquiriesLeft = inquiries
        case .pendingFailure(let inquiries): (made.inquiriesLeft, made.fails) = (inquiries, true)
        case .decline(let code): (made.status, made.declineCode) = ("failed", code)
        case .approve, .approvePart, .capture, .refuse, .requireAction: succeed(&made, index)
        }
        authorizations[index].operations.append(made)
        return ScriptedReply.made(
            ScriptedReply.operation(made, of: authorization),
            isDeclined: made.status == "failed"
        )
    }

    private func obstacle(_ request: ScriptedRequest, _ authorization: ScriptedAuthorization) -> String? {
        switch (request.kind, authorization.status) {
        case (.refund, "captured") where authorization.isUnsettled: "not_settled_yet"
        case (.void, "captured") where authorization.isUnsettled: nil
        case (_, "expired"): "authorization_expired"
        case (_, "voided"), (_, "canceled"): "already_voided"
        case (.capture, "captured"), (.void, "captured"): "already_captured"
        case (.capture, "authorized"):
            request.amount <= authorization.held ? nil : "amount_too_large"
        case (.void, "authorized"), (.void, "requires_action"): nil
        case (.refund, "captured"), (.refund, "authorized"):
            authorization.refunded + request.amount <= authorization.captured ? nil : "amount_too_large"
        default: "not_authorized"
        }
    }

    private mutating func succeed(_ operation: inout ScriptedAuthorization.Operation, _ index: Int) {
        operation.status = "succeeded"
        switch operation.kind {
        case .capture:
            authorizations[index].captured += operation.amount
            if operation.isFinal { authorizations[index].voided += authorizations[index].held }
            authorizations[index].captures += 1
            if authorizations[index].held == 0 { authorizations[index].status = "captured" }
        case .void:
            let isUnfinished = authorizations[index].status == "requires_action"
            authorizations[index].voided += authorizations[index].held
            if authorizations[index].isUnsettled { authorizations[index].refunded = authorizations[index].captured }
            let isTaken = authorizations[index].captured > authorizations[index].refunded
            authorizations[index].status = isUnfinished ? "canceled" : isTaken ? "captured" : "voided"
            authorizations[index].actionExpiresAt = nil
        case .refund: authorizations[index].refunded += operation.amount
        case .authorize, .inquire, .forget: return
        }
    }

    private mutating func answer(_ target: ScriptedRequest.Target, at now: Int64) -> WireReply {
        guard let index = index(of: target) else { return ScriptedReply.found([], by: target.name) }
        func isVisible(_ madeAt: Int64) -> Bool { now >= madeAt + visibilityMilliseconds * 1000 }
        guard case .operation(let reference) = target else {
            guard isVisible(authorizations[index].madeAt) else { return ScriptedReply.found([], by: target.name) }
            finishAuthorization(index)
            return ScriptedReply.found(
                authorizations.filter { $0.reference == authorizations[index].reference }
                    .map(ScriptedReply.authorization),
                by: target.name
            )
        }
        for (position, operation) in authorizations[index].operations.enumerated()
        where operation.reference == reference && isVisible(operation.madeAt) { finishOperation(position, of: index) }
        let authorization = authorizations[index]
        return ScriptedReply.found(
            authorization.operations.filter { $0.reference == reference && isVisible($0.madeAt) }
                .map { ScriptedReply.operation($0, of: authorization) },
            by: reference
        )
    }

    private mutating func finishAuthorization(_ index: Int) {
        guard authorizations[index].status == "pending" else { return }
        authorizations[index].inquiriesLeft -= 1
        guard authorizations[index].inquiriesLeft <= 0 else { return }
        if authorizations[index].fails {
            decline(&authorizations[index], "generic")
        } else {
            approve(&authorizations[index], authorizations[index].amount)
        }
    }

    private mutating func finishOperation(_ position: Int, of index: Int) {
        var operation = authorizations[index].operations[position]
        guard operation.status == "pending" else { return }
        operation.inquiriesLeft -= 1
        if operation.inquiriesLeft <= 0 {
            if operation.fails {
                (operation.status, operation.declineCode) = ("failed", "generic")
            } else {
                succeed(&operation, index)
            }
        }
        authorizations[index].operations[position] = operation
    }

    private func index(of target: ScriptedRequest.Target) -> Int? {
        authorizations.firstIndex { authorization in
            switch target {
            case .nothing: false
            case .id(let id): authorization.id == id
            case .reference(let reference): authorization.reference == reference
            case .operation(let reference): authorization.operations.contains { $0.reference == reference }
            }
        }
    }
}
