import Domain
import SeededRandom

/// One order, its instances, a PSP and a network that loses, delays, repeats and reorders, all out of one seed.
struct World {
    /// A report or a notice under way to the machine.
    private struct Letter {
        enum Content {
            case report(Report)
            case notice(Notice)
        }

        let at: Timestamp
        let content: Content
        let instance: String
    }

    private(set) var order: Order
    private(set) var psp = ModelPSP()
    private(set) var books = Books()
    private(set) var complaints: [String] = []
    private(set) var steps = 0
    /// What happened, one line a step; kept only where somebody will read it.
    private(set) var trace: [String] = []
    private let isTraced: Bool
    private var random: SeededRandom
    private var ids: IdentifierSource
    private var now = Checkout.placedAt
    private var letters: [Letter] = []
    private var performed: [OperationID: Int64] = [:]
    private var requests = 0
    private var lastTick = Checkout.placedAt
    private let rules: OrderTimings

    init(seed: UInt64, isTraced: Bool = false) throws {
        self.isTraced = isTraced
        random = SeededRandom(seed: seed)
        ids = IdentifierSource(random: SeededRandom(seed: seed &+ 1))
        rules = OrderTimings(leaseMilliseconds: 20_000)
        var checkout = Self.checkout(&random)
        var lines = SeededRandom(seed: seed &+ 2)
        checkout.stated = checkout.amounts.map { Checkout.randomLines(of: $0, &lines) }
        order = try checkout.order(&ids)
        step("one", isPlacing: true) { $0.place() }
    }

    private static func checkout(_ random: inout SeededRandom) -> Checkout {
        let count = Int(random.number(in: 1...5))
        let amounts = (0..<count).map { _ in random.number(in: 1...(random.chance(50) ? 20 : 100_000)) }
        let names = (0..<count).map(Checkout.name).filter { _ in random.chance(50) }
        let policies: [Policy] = [
            .allOrNothing, .bestEffort, .required(names.isEmpty ? [Checkout.name(0)] : Set(names)),
            .minimum(random.number(in: 1...amounts.reduce(0, +))),
        ]
        let routes = [
            RouteSnapshot(psp: "simulator", pspAccount: "sim-a"),
            RouteSnapshot(psp: "stripe", pspAccount: "stripe-main", settlesTo: .merchant, commissionBy: .psp),
            RouteSnapshot(psp: "stripe", pspAccount: "stripe-main", settlesTo: .merchant, commissionBy: .invoice),
        ]
        return Checkout(
            amounts: amounts,
            policy: random.one(of: policies),
            capture: random.chance(70) ? .automatic : .manual,
            onDeadline: random.chance(50) ? .abandon : .continue,
            onCaptureFailure: random.chance(70) ? .attention : .compensate,
            decideByMilliseconds: 120_000,
            routes: (0..<count).map { _ in random.one(of: routes) },
            commission: CommissionRule(
                basisPoints: random.number(in: 0...5000),
                taxBasisPoints: random.number(in: 0...3000),
                returnedOnRefund: random.chance(70) ? .proRata : .none
            )
        )
    }

    /// Whether nothing is under way anywhere.
    private var isQuiet: Bool { nextMoment == nil && letters.isEmpty }

    /// Runs until nothing is under way any more, and answers what was wrong on the way or is wrong in the end.
    mutating func run() -> [String] {
        while complaints.isEmpty, !isQuiet {
            guard steps < 3000 else { return ["never comes to rest"] }
            advance()
        }
        return complaints.isEmpty ? psp.complaints + complaintsAtRest() : complaints
    }

    private var machine: OrderMachine { OrderMachine(order, at: now, by: "one", rules: rules, ids: ids) }

    private var open: [Operation] {
        order.payments.flatMap(\.attempts).flatMap(\.operations).filter(\.isOpen)
    }

    /// The next moment at which anything can happen; nil if nothing ever will.
    private var nextMoment: Timestamp? {
        (letters.map(\.at) + open.compactMap(\.dueAt) + psp.plans.map(\.at) + [machine.wakeAt].compactMap(\.self)).min()
    }

    private mutating func advance() {
        guard let next = nextMoment else { return }
        now = max(now, next)
        if random.chance(20) { now = now.adding(milliseconds: random.number(in: 0...3000)) }
        for news in psp.advance(to: now) where news.mustArrive || random.chance(70) {
            post(psp.inquire(news.operation), of: news.operation, from: "hook", withinMilliseconds: 9000)
        }
        for notice in psp.takeNotices() { post(.notice(notice), from: "hook", withinMilliseconds: 40_000) }
        if order.decision.state == .accepted, requests < 6, random.chance(25) { return request() }
        if order.decision.state == .pending, random.chance(1) { return callOff(random.one(of: order.payments)) }
        if let wake = machine.wakeAt, wake <= now { return tick() }
        if random.chance(10) { tick() }
        let arrived = letters.indices.filter { letters[$0].at <= now }
        if !arrived.isEmpty {
            return read(letters.remove(at: random.one(of: arrived)))
        }
        let due = open.filter { $0.dueAt.map { $0 <= now } ?? false }
        guard !due.isEmpty else { return }
        let operation = random.one(of: due)
        step(random.one(of: ["one", "two"])) { _ = $0.claim(operation.id) }
    }

    /// What cannot be matched yet is told again later.
    private mutating func read(_ letter: Letter) {
        switch letter.content {
        case .report(let report): step(letter.instance) { $0.hear(report) }
        case .notice(let notice):
            var isMatched = false
            step(letter.instance) { isMatched = $0.hear(notice) }
            guard !isMatched else { return }
            let later = now.adding(milliseconds: 10_000)
            letters.append(Letter(at: later, content: letter.content, instance: letter.instance))
        }
    }

    /// The marketplace asks for something that may or may not be possible.
    private mutating func request() {
        requests += 1
        let (payment, amount) = (random.one(of: order.payments), random.number(in: 1...100))
        let isPart = random.chance(50)
        let choice = random.number(in: 0...11)
        if choice > 9 { return callOff(payment) }
        step("one") { machine in
            do throws(RequestRefusal) {
                switch choice {
                case 0: try machine.cancel()
                case 1...2:
                    let part = CaptureRequest.Item(payment: payment.id, amount: amount, isFinal: !isPart)
                    try machine.capture(.items([part])) { _ in CaptureAbility(partial: true, multiple: isPart) }
                case 3...5: try machine.capture(.whole) { _ in CaptureAbility(partial: false, multiple: false) }
                case 6: try machine.refund(RefundRequest(.all, borneBy: isPart ? .merchant : .marketplace))
                case 7: try machine.refund(RefundRequest(.items([Refund.Item(payment: payment.id, amount: amount)])))
                default: try machine.refund(RefundRequest(.proportional(amount), borneBy: .marketplace))
                }
            } catch {
                return
            }
        }
    }

    /// The marketplace calls a payment off, which may or may not be possible.
    private mutating func callOff(_ payment: Payment) {
        let ability = CaptureAbility(partial: true, multiple: true, releasesRest: random.chance(70))
        step("one") { machine in
            do throws(RequestRefusal) { try machine.cancel([payment.id]) { _ in ability } } catch { return }
        }
    }

    private mutating func tick() {
        step("one") {
            $0.tick()
            _ = $0.answer()
        }
        if order.decision.state == .pending, now >= order.terms.decideBy { complaints.append("undecided at decide_by") }
        if let wake = machine.wakeAt, wake <= now { complaints.append("wants to look at the clock again at once") }
    }

    private mutating func step(
        _ instance: String,
        isPlacing: Bool = false,
        _ body: (inout OrderMachine) -> Void
    ) {
        steps += 1
        let before = order
        var machine = OrderMachine(order, at: now, by: instance, rules: rules, ids: ids)
        body(&machine)
        (order, ids) = (machine.order, machine.ids)
        books.add(machine.record.entries)
        if isTraced { note(machine.record, by: instance) }
        complaints += StepRules.complaints(
            from: before,
            to: order,
            leaving: machine.record,
            isPlacing: isPlacing
        )
        complaints += StepRules.complaints(performing: machine.performed, by: instance, from: before, to: order)
        if order.payments != before.payments { complaints += books.complaints(of: order) }
        sendWhatIsLeased()
    }

    private mutating func note(_ record: OrderMachine.Record, by instance: String) {
        let heard = record.facts.map { "\($0.operation.text.suffix(6)) \($0.kind) \($0.amount ?? 0)" }
        let told = record.events.map { event in
            event.type + (event.operation.map { " " + $0.text.suffix(6) } ?? "")
        }
        let moment = now.milliseconds(since: Checkout.placedAt)
        trace.append("\(moment) ms, \(instance) hears \(heard): \(told)")
    }

    /// Sends the operations that an instance has just taken in hand.
    private mutating func sendWhatIsLeased() {
        for payment in order.payments {
            for operation in payment.attempt.operations where operation.isOpen {
                guard let instance = operation.leasedBy, performed[operation.id, default: 0] < operation.leases else {
                    continue
                }
                performed[operation.id] = operation.leases
                send(operation, of: payment.attempt.id, by: instance)
            }
        }
    }

    private mutating func send(_ operation: Operation, of attempt: AttemptID, by instance: String) {
        checkMayBeSent(operation)
        if random.chance(5) {
            let failure = Outcome.notSent(reason: "no connection")
            post(failure, of: operation.id, asked: operation, from: instance, withinMilliseconds: 100)
            return
        }
        let isReplay = operation.kind != .authorize || order.decision.state == .pending
        let performs =
            switch operation.state {
            case .open: true
            case .unknown: isReplay && random.chance(60)
            default: false
            }
        if performs, operation.sentUnderLease < operation.leases {
            var isRecorded = false
            step(instance) {
                isRecorded = $0.recordSending(of: operation.id, underLease: operation.leases, isAnew: false)
            }
            guard isRecorded else { return }
        }
        let outcome =
            performs
            ? psp.perform(operation, of: attempt, at: now, &random) : psp.inquire(operation.id)
        switch random.number(in: 0...99) {
        case 0..<6: return
        case 6..<16:
            post(.timedOut, of: operation.id, asked: operation, from: instance, withinMilliseconds: 15_000)
        default:
            let delay: Int64 = random.chance(90) ? 900 : 30_000
            post(outcome, of: operation.id, asked: operation, from: instance, withinMilliseconds: delay)
        }
    }

    /// Two phases: no capture before the order is cleared, nothing given back that the decision wants.
    private mutating func checkMayBeSent(_ operation: Operation) {
        let isCleared = order.decision.state == .cleared || order.decision.state == .accepted
        if operation.kind == .capture, operation.leases == 1, !isCleared {
            complaints.append("a capture is sent while the order is \(order.decision.state)")
        }
    }

    private mutating func post(
        _ outcome: Outcome,
        of operation: OperationID,
        asked: Operation? = nil,
        from instance: String,
        withinMilliseconds: Int64
    ) {
        let report = Report(operation: operation, outcome: outcome, retries: asked?.retries, lease: asked?.leases)
        post(.report(report), from: instance, withinMilliseconds: withinMilliseconds)
    }

    private mutating func post(_ content: Letter.Content, from instance: String, withinMilliseconds: Int64) {
        for _ in 0..<(random.chance(15) ? 2 : 1) {
            let at = now.adding(milliseconds: random.number(in: 0...withinMilliseconds))
            letters.append(Letter(at: at, content: content, instance: instance))
        }
    }
}

extension World {
    /// What is wrong once nothing is under way: our books against the PSP's, and the third rule.
    private func complaintsAtRest() -> [String] {
        var complaints: [String] = []
        for payment in order.payments {
            let truth = psp.truth(payment.attempt.id)
            let ours = [payment.authorized, payment.captured, payment.refunded, payment.held]
            let theirs = [truth.authorized, truth.captured, truth.refunded, truth.held]
            // An approval that our cancel released at once, and of which we never heard.
            let isCalledOff = ours == [0, 0, 0, 0] && truth.isReleased && truth.captured == 0
            let mayDiffer = truth.hasSecret || isCalledOff
            if ours != theirs, !mayDiffer { complaints.append("we have \(ours), the PSP has \(theirs)") }
            let isWanted = order.counts(payment) && !hasCompensated
            if !isWanted, truth.held != 0 || truth.net != 0 { complaints.append("unwanted money is left: \(theirs)") }
            let mustBeCaptured = isWanted && order.terms.capture == .automatic
            if mustBeCaptured, payment.captured == 0, !isToldAsFailed(payment) {
                complaints.append("a payment that counts is not captured and nobody is told")
            }
        }
        let expected: Set<OrderStatus> =
            switch order.decision.state {
            case .pending, .cleared: []
            case .refused: [.failed]
            case .canceled: [.canceled]
            case .accepted: [.authorized, .partiallyCaptured, .paid, .partiallyPaid, .partiallyRefunded, .refunded]
            }
        if !expected.contains(order.status) { complaints.append("is \(order.status) at rest") }
        let worries: Set<Attention.Reason> = [.unknownOutcome, .overdue, .compensationRefused]
        if order.attention.contains(where: { worries.contains($0.reason) }) {
            complaints.append("a person is told of what is over: \(order.attention.map(\.reason))")
        }
        return complaints
    }

    private var hasCompensated: Bool {
        order.terms.onCaptureFailure == .compensate
            && order.attention.contains {
                $0.reason == .captureFailed && order.decision.countsOn.contains($0.payment)
            }
    }

    private func isToldAsFailed(_ payment: Payment) -> Bool {
        order.attention.contains { $0.payment == payment.id && $0.reason == .captureFailed }
    }
}
