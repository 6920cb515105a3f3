import Domain
import SeededRandom

/// One payment, a PSP whose portal is used beside us, and a network that loses, delays, repeats and reorders, out of one seed.
///
/// What the PSP did for others, or what failed after all, is told in the end: each webhook of that comes. Of those about what we
/// asked for some are lost, and of those about others' captures where the PSP's answers say how much is captured in all.
struct PortalWorld {
    /// What is under way.
    private enum Letter {
        /// Something of ours to the PSP, whose answer is lost or not.
        case request(Operation, lease: Int64, isHeard: Bool)
        case report(Report)
        case notice(Notice)
    }

    private(set) var order: Order
    private(set) var psp: PortalPSP
    private(set) var complaints: [String] = []
    /// What happened, a line each.
    private(set) var trace: [String] = []
    private var random: SeededRandom
    private var ids: IdentifierSource
    private var now = Checkout.placedAt
    private var letters: [Letter] = []
    private var told = 0
    private var performed: [OperationID: Int64] = [:]
    private var books = Books()
    /// What of others' captures no webhook tells.
    private var untold: Int64 = 0
    /// The most that an answer or a webhook said is captured in all.
    private var toldInAll: Int64 = 0
    private var deeds: Int64
    private var requests: Int64
    private var steps = 0
    private let rules = OrderTimings(leaseMilliseconds: 20_000)

    private static let amount: Int64 = 300

    init(seed: UInt64, _ manner: PortalManner) throws {
        random = SeededRandom(seed: seed)
        ids = IdentifierSource(random: SeededRandom(seed: seed &+ 1))
        psp = PortalPSP(manner)
        let checkout = Checkout(
            amounts: [Self.amount],
            policy: .bestEffort,
            capture: random.chance(50) ? .automatic : .manual,
            onDeadline: .continue,
            onCaptureFailure: random.chance(70) ? .attention : .compensate,
            decideByMilliseconds: 86_400_000
        )
        deeds = random.number(in: 1...3)
        requests = random.number(in: 0...3)
        order = try checkout.order(&ids)
        step(isPlacing: true) { $0.place() }
    }

    /// Whether nothing more goes wrong.
    private var isCalm: Bool { deeds + requests == 0 }
    private var attempt: Attempt { order.payments[0].attempt }
    private var machine: OrderMachine { OrderMachine(order, at: now, by: "one", rules: rules, ids: ids) }
    private var open: [Operation] { order.payments.flatMap(\.attempts).flatMap(\.operations).filter(\.isOpen) }

    /// Has everything happen, and answers what was wrong on the way or is wrong in the end.
    mutating func run() -> [String] {
        while complaints.isEmpty, !isCalm {
            guard steps < 500 else { break }
            live()
        }
        deeds = 0
        requests = 0
        while complaints.isEmpty, rest() {
            guard steps < 2000 else { return ["never comes to rest"] }
        }
        noteOperations()
        return complaints.isEmpty ? complaintsAtRest() : complaints
    }

    private mutating func live() {
        steps += 1
        now = now.adding(milliseconds: random.number(in: 0...(random.chance(20) ? 30_000 : 800)))
        switch random.number(in: 0...9) {
        case 0...1 where psp.authorized > 0 && deeds > 0: act()
        case 9 where !psp.workedOn.isEmpty: finishOne()
        case 2 where order.decision.state == .accepted && requests > 0: request()
        case 3...4: goOn()
        default: if !letters.isEmpty { deliver(Int(random.number(in: 0...Int64(letters.count - 1)))) } else { goOn() }
        }
    }

    /// Lets what is under way arrive, and what is due go on; false once nothing is left.
    private mutating func rest() -> Bool {
        steps += 1
        if !psp.workedOn.isEmpty {
            finishOne()
            return true
        }
        if !letters.isEmpty {
            let before = letters.count
            for _ in 0..<before where !letters.isEmpty {
                if deliver(Int(random.number(in: 0...Int64(letters.count - 1)))) { return true }
            }
            for index in letters.indices.reversed() where deliver(index) { return true }
        }
        guard let next = (open.compactMap(\.dueAt) + [machine.wakeAt].compactMap(\.self)).min() else {
            let untold = letters.filter { !isOfForgottenCapture($0) }
            if !untold.isEmpty { complaints.append("\(untold.count) webhooks are never told") }
            return false
        }
        now = max(now, next)
        goOn()
        return true
    }

    private mutating func goOn() {
        if let wake = machine.wakeAt, wake <= now {
            step {
                $0.tick()
                _ = $0.answer()
            }
            if let wake = machine.wakeAt, wake <= now { complaints.append("wants to look at the clock again at once") }
        }
        for operation in open where operation.dueAt.map({ $0 <= now }) ?? false {
            step { _ = $0.claim(operation.id) }
        }
    }

    /// The PSP finishes something that it works on.
    private mutating func finishOne() {
        psp.finish(random.one(of: psp.workedOn), succeeds: isCalm || random.chance(75))
        publish("the PSP")
    }

    /// Somebody does something in the portal, or something fails after all.
    private mutating func act() {
        deeds -= 1
        if !psp.fallible.isEmpty, random.chance(40) {
            let failing = random.one(of: psp.fallible)
            if psp.manner.sharesName, psp.effects[failing].action == .capture { forgetCapture() }
            psp.fail(failing)
            return publish("the PSP")
        }
        if random.chance(15), dispute() { return publish("the bank") }
        let action = random.one(of: [Notice.Action.capture, .capture, .void, .refund, .refund])
        let whole = action == .capture ? psp.held : psp.refundable
        let amount = random.chance(40) ? whole : random.number(in: 1...max(1, whole))
        psp.act(action, amount)
        publish("the portal")
    }

    /// The buyer's bank disputes something, or decides.
    private mutating func dispute() -> Bool {
        let amount = random.chance(40) ? psp.refundable : random.number(in: 1...max(1, psp.refundable))
        return psp.dispute(amount, decidesFor: random.one(of: [.won, .lost]))
    }

    /// What was not told yet of a capture is not told any more: under one name a PSP tells what came of it.
    private mutating func forgetCapture() {
        letters.removeAll { letter in
            guard case .notice(let notice) = letter, case .outcome(.capture, _) = notice.happening else { return false }
            return true
        }
    }

    /// Whether a webhook tells of the failure of a capture that nobody told of.
    private func isOfForgottenCapture(_ letter: Letter) -> Bool {
        guard psp.manner.sharesName, case .notice(let notice) = letter else { return false }
        if case .reversed(.capture, _) = notice.happening { return true }
        return false
    }

    /// The marketplace asks for something that may or may not be possible.
    private mutating func request() {
        requests -= 1
        let (payment, amount, isPart) = (order.payments[0], random.number(in: 1...Self.amount), random.chance(50))
        let ability = CaptureAbility(partial: true, multiple: psp.manner.severalCaptures)
        let choice = random.number(in: 0...7)
        step { machine in
            do throws(RequestRefusal) {
                switch choice {
                case 0: try machine.cancel()
                case 1...2:
                    let part = CaptureRequest.Item(payment: payment.id, amount: amount, isFinal: isPart)
                    try machine.capture(.items([part])) { _ in ability }
                case 3...4: try machine.capture(.whole) { _ in ability }
                case 5: try machine.refund(RefundRequest(.all))
                case 6: try machine.release(.whole) { _ in ability }
                default: try machine.refund(RefundRequest(.amount(amount)))
                }
            } catch {
                return
            }
        }
    }

    /// Lets one thing arrive; false if it cannot be told yet.
    @discardableResult
    private mutating func deliver(_ index: Int) -> Bool {
        let letter = letters.remove(at: index)
        switch letter {
        case .request(let operation, let lease, let isHeard): arrive(operation, lease, isHeard: isHeard)
        case .report(let report):
            note("hears \(report.outcome) of \(report.operation.text.suffix(5))")
            step { $0.hear(report) }
            toldInAll = max(toldInAll, report.outcome.capturedInAll)
        case .notice(let notice):
            var isMatched = false
            let severalCaptures = psp.manner.severalCaptures
            step { isMatched = $0.hear(notice, severalCaptures: severalCaptures, tellsOutcomes: true) }
            note("is told \(notice.subject.object ?? "") \(isMatched ? "" : "in vain")")
            guard isMatched else {
                letters.append(letter)
                return false
            }
            if case .outcome(_, let outcome) = notice.happening { toldInAll = max(toldInAll, outcome.capturedInAll) }
            if random.chance(10), !isCalm { letters.append(letter) }
        }
        return true
    }

    private mutating func arrive(_ operation: Operation, _ lease: Int64, isHeard: Bool) {
        let outcome = psp.perform(operation)
        publish("\(operation.kind) \(operation.id.text.suffix(5)) of \(operation.amount)")
        guard isHeard else { return }
        letters.append(.report(report(outcome, of: operation, lease)))
    }

    private func report(_ outcome: Outcome, of operation: Operation, _ lease: Int64) -> Report {
        Report(
            operation: operation.id,
            outcome: outcome,
            severalCaptures: psp.manner.severalCaptures,
            retries: operation.retries,
            lease: lease
        )
    }

    /// Posts the webhooks of what the PSP did since.
    private mutating func publish(_ who: String) {
        for news in psp.news[told...] {
            switch news {
            case .effect(let effect): note("\(who) did \(effect.name) of \(effect.amount): \(effect.state)")
            case .dispute(let dispute, _): note("\(dispute.name) of \(dispute.amount) is \(dispute.state)")
            }
            if isLost(news) { continue }
            letters.append(.notice(psp.notice(of: news, about: attempt.id)))
        }
        told = psp.news.count
    }

    /// Whether no webhook tells of something: what became of ours, an answer or a question after it tells.
    private mutating func isLost(_ news: PortalPSP.News) -> Bool {
        guard case .effect(let effect) = news, effect.state != .failedAfterAll else { return false }
        let isToldInAll = psp.manner.tellsCaptured && effect.action == .capture
        guard effect.operation != nil || isToldInAll, random.chance(25) else { return false }
        if effect.operation == nil { untold += effect.amount }
        return true
    }

    private mutating func step(isPlacing: Bool = false, _ body: (inout OrderMachine) -> Void) {
        let before = order
        var machine = OrderMachine(order, at: now, by: "one", rules: rules, ids: ids)
        body(&machine)
        (order, ids) = (machine.order, machine.ids)
        books.add(machine.record.entries)
        for event in machine.record.events {
            let amount = event.details.first { $0.name == "amount" }.map { " \($0.value)" } ?? ""
            note("   \(event.type)\(amount) \(event.operation?.text.suffix(5) ?? "")")
        }
        complaints += StepRules.complaints(from: before, to: order, leaving: machine.record, isPlacing: isPlacing)
        complaints += StepRules.complaints(performing: machine.performed, by: "one", from: before, to: order)
        if order.payments != before.payments { complaints += books.complaints(of: order) }
        for operation in open {
            guard operation.leasedBy != nil, performed[operation.id, default: 0] < operation.leases else { continue }
            performed[operation.id] = operation.leases
            send(operation)
        }
    }

    /// Sends an operation that was just taken in hand, or asks after it: once nothing of it is under way any more.
    private mutating func send(_ operation: Operation) {
        let sentBefore = operation.wasSent && operation.sentUnderLease < operation.leases
        guard sentBefore else { return transmit(operation) }
        for index in letters.indices.reversed() {
            if case .request(let other, _, _) = letters[index], other.id == operation.id { deliver(index) }
        }
        guard psp.manner.repeatsAnswers && random.chance(50) else {
            guard let found = psp.find(operation) else { return transmit(operation) }
            letters.append(.report(report(found, of: operation, operation.leases)))
            return
        }
        transmit(operation)
    }

    private mutating func transmit(_ operation: Operation) {
        var isRecorded = false
        step { isRecorded = $0.recordSending(of: operation.id, underLease: operation.leases, isAnew: false) }
        guard isRecorded, let sent = open.first(where: { $0.id == operation.id }) else { return }
        let fate = isCalm ? 0 : random.number(in: 0...9)
        if fate < 9 { letters.append(.request(sent, lease: sent.leases, isHeard: fate < 6)) }
        guard fate >= 6 else { return }
        letters.append(.report(report(.timedOut, of: sent, sent.leases)))
    }

    private mutating func note(_ line: @autoclosure () -> String) {
        trace.append("\(now.milliseconds(since: Checkout.placedAt)) ms: \(line())")
    }

    /// Notes what the books have of it in the end.
    private mutating func noteOperations() {
        for operation in attempt.operations {
            let about = "\(operation.reference ?? "-"), \(operation.doneAmount) done of \(operation.amount)"
            note("\(operation.origin) \(operation.kind) \(operation.id.text.suffix(5)): \(about), \(operation.state)")
        }
    }

    private func complaintsAtRest() -> [String] {
        let payment = order.payments[0]
        guard payment.captured == psp.captured || untold == 0 else {
            // What is told to be all was taken for one capture, ours or somebody else's; it was several, and one was told.
            let isPartNamed = attempt.all(.capture).contains {
                $0.state == .succeeded && $0.doneAmount < $0.amount && $0.reference != nil
            }
            let isRestReleased = attempt.all(.void).contains { $0.origin == .psp && $0.reference == nil }
            if isPartNamed, isRestReleased { return [] }
            let isInside = (min(toldInAll, psp.captured)...psp.captured).contains(payment.captured)
            return isInside ? [] : ["we have \(payment.captured) captured, were told \(toldInAll), of \(psp.captured)"]
        }
        var (ours, theirs) = (
            [payment.authorized, payment.captured, payment.refunded, payment.held, payment.chargedBack],
            [psp.authorized, psp.captured, psp.refunded, psp.held, psp.chargedBack]
        )
        // Of an approval that was released before anybody heard of it, only what was taken is known.
        if attempt.authorization.state != .succeeded, psp.held == 0 { (ours[0], theirs[0]) = (0, 0) }
        // What failed after it was captured may be held again, or not: nobody tells.
        if psp.failed > 0 { (ours[3], theirs[3]) = (0, 0) }
        var found = ours == theirs ? [] : ["we have \(ours), the PSP has \(theirs)"]
        let reasons = Set(order.attention.map(\.reason))
        let isTakenBack = psp.effects.contains(where: \.isReversed)
        if reasons.contains(.captureVoided), !isTakenBack { found.append("a capture is said to be voided") }
        if reasons.contains(.overRefunded), untold == 0 { found.append("more is said to be given back than was taken") }
        var worries: Set<Attention.Reason> = [.unknownOutcome, .overdue]
        if psp.failed == 0 { worries.insert(.compensationRefused) }
        if !reasons.isDisjoint(with: worries) { found.append("a person is told of what is over: \(reasons)") }
        return found
    }
}

extension Outcome {
    /// What it says is captured of the payment in all; 0 if it says nothing of that.
    fileprivate var capturedInAll: Int64 {
        switch self {
        case .succeeded(let success): success.capturedAmount ?? 0
        case .rejected(let rejection): rejection.captured ?? 0
        case .pending, .actionRequired, .declined, .notSent, .unknown: 0
        }
    }
}
