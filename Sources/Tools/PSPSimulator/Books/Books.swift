/// What the simulator knows: authorizations, kept results, counts.
///
/// A pure value: the same requests at the same times make the same books, replies and identifiers, which is how a
/// simulator comes back from its file.
package struct Books: Hashable, Sendable {
    /// What the identifier of every authorization begins with.
    package static let identifierPrefix = "auth_"
    /// How much of what happened can be listed at least.
    private static let historyLimit = 20_000

    /// What tells the identifiers of these books from those of others; lower-case letters and digits.
    package let instance: String
    /// Which results are kept under idempotency keys.
    package let keeping: ResultKeeping
    /// How many POST requests reached the books, replays included; refused bodies and keys do not.
    package private(set) var requests = 0
    /// Rules that were broken: amounts that do not add up, and references that hold or took money twice.
    package private(set) var violations: [String] = []

    /// What happened and has not been handed over.
    private var pendingEvents: [BookEvent] = []
    /// The last of what happened, the oldest first; at least ``historyLimit`` of it if there is so much.
    package private(set) var history: [BookEvent] = []
    private var dues = DueQueue()
    private var authorizations: [Authorization] = []
    /// How many authorizations were answered and left no trace but their names.
    private var untraced = 0
    private var accountRequests: [String: Int] = [:]
    private var positions: [String: Int] = [:]
    private var byReference: [AccountText: [Int]] = [:]
    private var byOperationReference: [AccountText: [Int]] = [:]
    private var results: [AccountText: KeptResult] = [:]
    private var faultedRequests: Set<AccountText> = []

    /// Makes empty books.
    package init(instance: String, keeping: ResultKeeping = .effects) {
        self.instance = instance
        self.keeping = keeping
    }

    /// Processes a request.
    ///
    /// `original.at` must not be earlier than any before.
    package mutating func receive(_ original: Submission) -> BookAnswer {
        let submission = resolve(original)
        requests += 1
        accountRequests[submission.account, default: 0] += 1
        let key = submission.key.map { AccountText(account: submission.account, text: $0) }
        if let key, let result = results[key], keeping.remembers(result.at, at: submission.at) {
            return replay(result, of: submission)
        }
        do throws(Refusal) {
            let delivery = try delivery(of: submission)
            let subject = AccountText(account: submission.account, text: submission.faultName)
            if delivery.faultsBeforeActing, let fault = injectFault(delivery, subject) { return fault }
            if delivery == .noTrace, faultedRequests.insert(subject).inserted {
                return try answerWithoutTrace(submission)
            }
            let (reply, position) = try perform(submission)
            if let key, keeping.keeps(delivery) {
                results[key] = KeptResult(submission, reply, position, delivery, keeping)
            }
            return BookAnswer(
                reply,
                delivery.faultsBeforeActing ? .answer(afterMilliseconds: 0) : delivery.handling,
                webhookWait: authorizations[position].script.webhookWait(of: submission.command.kind)
            )
        } catch {
            if let key, keeping.keeps(error) {
                results[key] = KeptResult(submission, .refusal(error), nil, .prompt, keeping)
            }
            return BookAnswer(.refusal(error))
        }
    }

    /// Takes a buyer's answer; nil if there is no such authorization, or none that waits for an answer.
    package mutating func receive(_ answer: ActionAnswer) -> Authorization? {
        guard let position = positions[answer.authorization] else { return nil }
        authorizations[position].advance(to: answer.at)
        let isAnswered = authorizations[position].answerAction(approves: answer.approves, at: answer.at)
        collectEvents(position)
        guard isAnswered else { return nil }
        audit(position)
        return authorizations[position]
    }

    /// Does what somebody wants without the API.
    ///
    /// - Returns: the authorization after it.
    /// - Throws: ``Refusal`` if there is no such authorization or it cannot be done.
    package mutating func receive(_ action: DashboardAction) throws(Refusal) -> Authorization {
        let position = try position(of: action.target)
        authorizations[position].advance(to: action.at)
        defer { collectEvents(position) }
        try authorizations[position].act(action)
        audit(position)
        return authorizations[position]
    }
}

extension Books {
    /// When something happens next by itself, in milliseconds since 1970; nil if nothing does.
    package var nextDueAt: Int64? { dues.first }

    /// Does everything that was due by `now`.
    package mutating func advance(to now: Int64) {
        while let due = dues.next(by: now) {
            authorizations[due.position].advance(to: now)
            collectEvents(due.position)
            audit(due.position)
        }
    }

    /// What happened since the last time this was asked; nobody hears of it again.
    package mutating func takeEvents() -> [BookEvent] {
        defer { pendingEvents = [] }
        return pendingEvents
    }

    /// Takes what an authorization has to tell, and notes when it changes next.
    private mutating func collectEvents(_ position: Int) {
        pendingEvents += authorizations[position].pendingEvents
        history += authorizations[position].pendingEvents
        if history.count > 2 * Self.historyLimit { history.removeFirst(history.count - Self.historyLimit) }
        authorizations[position].pendingEvents = []
        guard let due = authorizations[position].nextDueAt else { return }
        dues.insert(DueQueue.Entry(at: due, position: position))
    }
}

extension Books {
    /// The accounts in the order of their names.
    package var accounts: [String] { accountRequests.keys.sorted() }

    /// How many results are kept under idempotency keys.
    package var keptResults: Int { results.count }

    /// How many POST requests the account sent that reached the books.
    package func requests(of account: String) -> Int { accountRequests[account] ?? 0 }

    /// The account's authorizations as of `now`, in the order in which they were made.
    package func authorizations(of account: String, at now: Int64) -> [Authorization] {
        authorizations.filter { $0.account == account }.map { $0.advanced(to: now) }
    }

    /// The account's authorization with that identifier, or that the PSP named so, as of `now`.
    package func authorization(_ id: String, of account: String, at now: Int64) -> Authorization? {
        guard let position = positions[id], authorizations[position].account == account else { return nil }
        return authorizations[position].advanced(to: now)
    }

    /// The account's authorizations with that reference, as of `now`.
    package func authorizations(reference: String, of account: String, at now: Int64) -> [Authorization] {
        let found = byReference[AccountText(account: account, text: reference)] ?? []
        return found.map { authorizations[$0].advanced(to: now) }
    }

    /// The account's captures, voids and refunds with that reference, and their authorizations, as of `now`.
    package func operations(
        reference: String,
        of account: String,
        at now: Int64
    ) -> [(operation: BookedOperation, authorization: Authorization)] {
        let found = byOperationReference[AccountText(account: account, text: reference)] ?? []
        return found.flatMap { position in
            let authorization = authorizations[position].advanced(to: now)
            let operations = authorization.operations.dropFirst().filter { $0.reference == reference }
            return operations.map { ($0, authorization) }
        }
    }
}

extension Books {
    private mutating func replay(_ result: KeptResult, of submission: Submission) -> BookAnswer {
        guard result.command == submission.command else { return BookAnswer(.refusal(.keyMismatch)) }
        if let position = result.position { authorizations[position].requests += 1 }
        let wait = max(0, result.readyAt - submission.at)
        return BookAnswer(result.reply, result.handling ?? .answer(afterMilliseconds: wait), isReplay: true)
    }

    /// What the answer would be if it were done; it is not, and the name that the answer gives is given to nothing else.
    private mutating func answerWithoutTrace(_ submission: Submission) throws(Refusal) -> BookAnswer {
        var copy = self
        let (reply, position) = try copy.perform(submission)
        if position < authorizations.count {
            authorizations[position].untraced += 1
        } else {
            untraced += 1
        }
        return BookAnswer(reply)
    }

    /// How the command's token wants it answered.
    private func delivery(of submission: Submission) throws(Refusal) -> Delivery {
        if let delivery = submission.delivery { return delivery }
        return switch submission.command {
        case .authorize(let command): try Self.script(of: command).delivery(of: .authorize)
        case .change(let change): authorizations[try position(of: change, submission)].script.delivery(of: change.kind)
        }
    }

    private mutating func injectFault(_ delivery: Delivery, _ key: AccountText) -> BookAnswer? {
        guard delivery == .never || faultedRequests.insert(key).inserted else { return nil }
        return BookAnswer(nil, delivery.handling)
    }

    private mutating func perform(_ submission: Submission) throws(Refusal) -> (BookResult, position: Int) {
        switch submission.command {
        case .authorize(let command):
            let position = try authorize(command, submission)
            return (.authorization(authorizations[position]), position)
        case .change(let change):
            let position = try position(of: change, submission)
            authorizations[position].advance(to: submission.at)
            defer { collectEvents(position) }
            let operation = try authorizations[position].change(change, key: submission.key ?? "", at: submission.at)
            authorizations[position].requests += 1
            let reference = AccountText(account: submission.account, text: change.reference)
            if byOperationReference[reference]?.contains(position) != true {
                byOperationReference[reference, default: []].append(position)
            }
            audit(position)
            var settled = authorizations[position]
            settled.pendingEvents = []
            return (.operation(operation, of: settled), position)
        }
    }

    private mutating func authorize(_ command: AuthorizeCommand, _ submission: Submission) throws(Refusal) -> Int {
        let script = try Self.script(of: command)
        if case .refuse(let refusal) = script.effect(of: .authorize) { throw refusal }
        if let name = command.identifier, positions[name] != nil { throw .alreadyNamed }
        let position = authorizations.count
        let authorization = Authorization(
            id: "\(Self.identifierPrefix)\(instance)_\(position + 1 + untraced)",
            account: submission.account,
            command: command,
            script: script,
            key: submission.key ?? "",
            at: submission.at
        )
        authorizations.append(authorization)
        positions[authorization.id] = position
        if let name = command.identifier { positions[name] = position }
        byReference[AccountText(account: submission.account, text: command.reference), default: []].append(position)
        audit(position)
        collectEvents(position)
        return position
    }

    private func position(of target: ChangeCommand.Target) throws(Refusal) -> Int {
        let found: [Int] =
            switch target {
            case .id(let id): positions[id].map { [$0] } ?? []
            case .reference(let reference):
                byReference.filter { $0.key.text == reference }.flatMap(\.value)
            }
        guard let position = found.first else { throw .notFound }
        guard found.count == 1 else { throw .ambiguousReference }
        return position
    }

    private func position(of change: ChangeCommand, _ submission: Submission) throws(Refusal) -> Int {
        switch change.target {
        case .id(let id):
            guard let position = positions[id], authorizations[position].account == submission.account else {
                throw .notFound
            }
            return position
        case .reference(let reference):
            let found = byReference[AccountText(account: submission.account, text: reference)] ?? []
            guard let position = found.first else { throw .notFound }
            guard found.count == 1 else { throw .ambiguousReference }
            return position
        }
    }

    /// The same request with the authorization named by identifier, so that both names are one under a key.
    private func resolve(_ submission: Submission) -> Submission {
        guard case .change(var change) = submission.command, let position = try? position(of: change, submission)
        else { return submission }
        change.target = .id(authorizations[position].id)
        var resolved = submission
        resolved.command = .change(change)
        return resolved
    }

    /// Records every rule that the authorization breaks.
    private mutating func audit(_ position: Int) {
        let authorization = authorizations[position]
        for rule in authorization.brokenRules { recordViolation("\(authorization.id): \(rule)") }
        let key = AccountText(account: authorization.account, text: authorization.command.reference)
        let live = (byReference[key] ?? []).filter { authorizations[$0].authorized > authorizations[$0].voided }
        if live.count > 1 {
            recordViolation(Self.doubleHold(account: key.account, reference: key.text))
        }
    }

    /// What is said of a reference under which more than one authorization holds or took money at a time.
    package static func doubleHold(account: String, reference: String) -> String {
        "\(account): reference \(reference) holds or took money more than once"
    }

    private mutating func recordViolation(_ violation: String) {
        if !violations.contains(violation) { violations.append(violation) }
    }

    private static func script(of command: AuthorizeCommand) throws(Refusal) -> TokenScript {
        do throws(TokenScriptError) {
            return try command.method.script(amount: command.amount)
        } catch {
            throw .token(error)
        }
    }
}

/// A key or a reference, which are each account's own.
private struct AccountText: Hashable {
    var account: String
    var text: String
}

/// What is kept under an idempotency key.
private struct KeptResult: Hashable {
    var at: Int64
    var command: Command
    var reply: BookResult
    /// The authorization, unless the request was refused.
    var position: Int?
    var readyAt: Int64
    /// How a repeated request is answered if not with the reply.
    var handling: Handling?

    init(
        _ submission: Submission,
        _ reply: BookResult,
        _ position: Int?,
        _ delivery: Delivery,
        _ keeping: ResultKeeping
    ) {
        at = submission.at
        command = submission.command
        self.reply = reply
        self.position = position
        readyAt = submission.at + delivery.delay
        handling = keeping.handling(ofRepeated: delivery)
    }
}

extension Submission {
    /// The name under which it gets a fault once: its key up to the first dot, behind which callers tell the tries and
    /// calls of one operation apart; without a key, what it is about.
    fileprivate var faultName: String { key.map { String($0.prefix { $0 != "." }) } ?? command.subject }
}
