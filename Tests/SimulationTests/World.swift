import Domain
import Gateway
import Storage
import TributaryTestKit

/// A marketplace in which everything goes wrong that can, one step after the other.
struct World {
    /// Longer than a lease, a PSP's timeout and the pause after the first doubts.
    private static let healingJumpMilliseconds: Int64 = 400_000
    private static let healingJumps = 300
    private static let orderLimit = 14
    /// The longest that a request or a reply is under way: less than a PSP's timeout.
    private static let travelMilliseconds: Int64 = 30_000

    private let harness: GatewayHarness
    private let buyers = Buyers()
    private let seed: UInt64
    private var dice: Dice
    private var instances: [GatewayInstance] = []
    private var instanceNumber = 0
    private var orderNumber = 0
    private var refundNumber = 0
    private var tokens: [String] = []
    private var heldMilliseconds: Int64 = 0
    /// What happened, for the one who has to find out why.
    private(set) var story: [String] = []

    /// A world with two instances that its seed determines.
    init(_ harness: GatewayHarness, seed: UInt64) {
        self.harness = harness
        self.seed = seed
        dice = Dice(seed: seed)
        instances = [newInstance(), newInstance()]
    }

    private enum Happening {
        case order
        case repetition
        case beat
        case time
        case death
        case cut
        case mending
        case release
        case buyersStep
        case refund
        case cancellation
    }

    /// Lets one thing happen, and waits until it has had its consequences.
    mutating func step() async throws {
        let happening = dice.pick([
            (25, Happening.order), (8, .repetition), (20, .beat), (30, .time), (5, .death), (3, .cut), (4, .mending),
            (3, .release), (2, .buyersStep), (6, .refund), (5, .cancellation),
        ])
        let index = Int.random(in: 0..<instances.count, using: &dice)
        switch happening {
        case .order: await order(at: index)
        case .repetition: repetition(at: index)
        case .beat: break
        case .time: await advance()
        case .death:
            tell("instance \(index) dies")
            instances[index].life.die()
        case .cut:
            tell("instance \(index) loses the database")
            instances[index].database.cut()
        case .mending: instances[index].database.mend()
        case .release: await harness.psp.releaseAll()
        case .buyersStep:
            if let token = tokens.randomElement(using: &dice) { await harness.psp.finishAction(of: token) }
        case .refund: try await refund(at: index)
        case .cancellation: try await cancel(at: index)
        }
        await beat(index)
        await settle()
        for index in instances.indices where instances[index].life.isDead { instances[index] = newInstance() }
    }

    /// What is wrong by now with what is stored.
    func complaints() async throws -> [String] {
        try await LedgerCheck.complaints(about: harness.database, rules: harness.settings.rules)
    }

    /// Lets nothing more go wrong, until every order is at rest; answers what is wrong then.
    mutating func heal() async throws -> [String] {
        for instance in instances { instance.life.die() }
        let healer = harness.instance("healer")
        for key in buyers.keys { buyers.repeatRequest(key, to: healer) }
        for _ in 0..<Self.healingJumps {
            await harness.psp.releaseAll()
            harness.clock.advance(milliseconds: Self.healingJumpMilliseconds)
            try await healer.gateway.poll()
            await settle()
            if try await isAtRest() { break }
        }
        var found = try await harness.complaints() + buyers.complaints
        let orders = try await LedgerCheck.orders(in: harness.database)
        found += orders.filter { !$0.isAtRest }.map { "\($0.id) stays: \(HarnessFailure.text($0))" }
        found += buyers.orders.subtracting(orders.map(\.id)).map { "\($0) was acknowledged and is not there" }
        if orders.count != buyers.keys.count { found.append("\(buyers.keys.count) keys made \(orders.count) orders") }
        buyers.leave()
        return found
    }

    private func isAtRest() async throws -> Bool {
        let orders = try await LedgerCheck.orders(in: harness.database)
        return orders.count == buyers.keys.count && orders.allSatisfy { $0.isAtRest }
    }

    /// A new instance, which may carry its death within it.
    private mutating func newInstance() -> GatewayInstance {
        instanceNumber += 1
        // Dice of its own: when an instance is replaced must not change what happens besides.
        var dice = Dice(seed: seed &+ UInt64(instanceNumber) << 32)
        let number = Int.random(in: 1...30, using: &dice)
        let death = dice.pick([
            (4, nil), (1, InstanceLife.Death.beforeWrite(number)), (1, .afterWrite(number)), (1, .beforeCall(number)),
            (1, .afterCall(number)),
        ])
        tell("instance-\(instanceNumber) is born" + (death.map { ", to die \($0)" } ?? ""))
        return harness.instance("instance-\(instanceNumber)", endingAt: death)
    }

    private mutating func order(at index: Int) async {
        guard orderNumber < Self.orderLimit else { return }
        orderNumber += 1
        let checkout = dice.checkout("\(orderNumber)")
        for part in checkout.parts {
            tokens.append(part.token)
            for kind in [ScriptedCall.Kind.authorize, .capture, .void, .refund, .inquire] {
                for _ in 0..<dice.pick([(3, 0), (5, 1), (2, 2), (1, 3)]) {
                    let behaviour = dice.behaviour(kind, amount: part.amount)
                    tell("\(part.token) \(kind): \(behaviour.verdict), \(behaviour.travel)")
                    await harness.psp.script(part.token, kind, behaviour)
                }
            }
        }
        tell("order \(orderNumber) at instance \(index): \(checkout)")
        buyers.send(checkout, key: "key-\(orderNumber)", to: instances[index])
    }

    private mutating func repetition(at index: Int) {
        guard let key = buyers.keys.randomElement(using: &dice) else { return }
        tell("\(key) again at instance \(index)")
        buyers.repeatRequest(key, to: instances[index])
    }

    /// Asks for a part of what is left of a payment to be given back; nobody waits for it.
    private mutating func refund(at index: Int) async throws {
        let orders = try await LedgerCheck.orders(in: harness.database).sorted { $0.id.text < $1.id.text }
        let payments = orders.flatMap { order in order.payments.map { (order: order.id, payment: $0) } }
        guard let chosen = payments.filter({ $0.payment.refundable > 0 }).randomElement(using: &dice) else { return }
        refundNumber += 1
        let amount = Int64.random(in: 1...chosen.payment.refundable, using: &dice)
        tell("instance \(index) is asked to give back \(amount) of \(chosen.payment.id)")
        let request = RefundRequest(.items([Refund.Item(payment: chosen.payment.id, amount: amount)]))
        let (gateway, key) = (instances[index].gateway, "refund-\(refundNumber)")
        Task {
            _ = try? await gateway.request(
                .refund(request),
                of: .init(chosen.order, of: nil),
                under: TestCheckout.use(key)
            )
        }
    }

    /// Calls a payment off that may still be, or may not; nobody waits for it.
    private mutating func cancel(at index: Int) async throws {
        let orders = try await LedgerCheck.orders(in: harness.database).sorted { $0.id.text < $1.id.text }
        let open = orders.filter { order in
            order.decision.state == .pending || order.payments.contains { order.counts($0) && $0.held > 0 }
        }
        guard let order = open.randomElement(using: &dice),
            let payment = order.payments.randomElement(using: &dice)
        else { return }
        tell("instance \(index) is asked to call off \(payment.id)")
        let gateway = instances[index].gateway
        Task { _ = try? await gateway.request(.cancelPayments([payment.id]), of: .init(order.id, of: nil)) }
    }

    private mutating func advance() async {
        let milliseconds = dice.pick([
            (4, Int64.random(in: 1...2000, using: &dice)), (4, Int64.random(in: 2000...70_000, using: &dice)),
            (3, Int64.random(in: 70_000...200_000, using: &dice)),
            (1, Int64.random(in: 200_000...4_000_000, using: &dice)),
        ])
        heldMilliseconds += milliseconds
        if heldMilliseconds > Self.travelMilliseconds {
            heldMilliseconds = 0
            await harness.psp.releaseAll()
            await settle()
        }
        tell("\(milliseconds) ms pass")
        harness.clock.advance(milliseconds: milliseconds)
    }

    /// One look of an instance at what is due; a dead one never finishes it.
    private func beat(_ index: Int) async {
        let (gateway, life) = (instances[index].gateway, instances[index].life)
        guard !life.isDead else { return }
        let signal = harness.signal
        Task {
            try? await gateway.poll()
            signal.give()
        }
    }

    /// Waits until nothing happens any more but for the clock.
    private func settle() async {
        var quietLooks = 0
        var seen = (writes: -1, calls: -1)
        while quietLooks < 3 {
            try? await Task.sleep(for: .milliseconds(2))
            let now = (writes: harness.signal.count, calls: await harness.psp.calls.count)
            quietLooks = now == seen ? quietLooks + 1 : 0
            seen = now
        }
    }

    private mutating func tell(_ sentence: String) { story.append(sentence) }
}
