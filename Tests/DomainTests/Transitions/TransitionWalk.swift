import Domain
import SeededRandom

/// Every order that a few checkouts can become, by telling each of them everything that it can be told, as far as a few
/// orders of each standing go.
///
/// The machine is a pure value: an order is told each thing on a copy of its own, and what it becomes is told everything again.
struct TransitionWalk {
    /// An order on the walk.
    private struct Node {
        var order: Order
        var books = Books()
        var now = Checkout.placedAt
        /// What it was told, from its placement on.
        var path: [String]
    }

    /// The cells that were taken, each with what led to it.
    private(set) var taken: [OrderTransition: [String]] = [:]
    /// The cells that were refused at least once.
    private(set) var refused: Set<OrderTransition> = []
    /// The decisions that followed each other.
    private(set) var decisions: Set<[Decision.State]> = []
    /// What was wrong on the way, each with what led to it.
    private(set) var complaints: [String] = []
    /// How many things orders were told.
    private(set) var steps = 0

    private var waiting: [Node] = []
    private var met: Set<String> = []
    private var counts: [OrderStanding: Int] = [:]
    private var random: SeededRandom
    private let width: Int
    private let rules = OrderTimings()

    /// Walks from one checkout.
    ///
    /// - Parameters:
    ///   - checkout: where it begins.
    ///   - width: of how many orders it goes on from each standing.
    ///   - seed: draws which.
    /// - Throws: if the checkout's commission is none, which fails the test.
    init(from checkout: Checkout, width: Int, seed: UInt64) throws {
        self.width = width
        random = SeededRandom(seed: seed)
        var ids = IdentifierSource(random: SeededRandom(seed: seed))
        let order = try checkout.order(&ids)
        tell(.init("is placed", .placement(tokens: [:], by: nil)), to: Node(order: order, path: []))
        go()
    }

    /// Walks on from orders that lived already.
    ///
    /// - Parameters:
    ///   - stories: their lives.
    ///   - width: of how many orders it goes on from each standing, beside these.
    ///   - seed: draws which.
    init(continuing stories: [Story], width: Int, seed: UInt64) {
        self.width = width
        random = SeededRandom(seed: seed)
        waiting = stories.enumerated().map { number, story in
            Node(order: story.order, books: story.books, now: story.now, path: ["deep life \(number)"])
        }
        go()
    }

    private mutating func go() {
        var ids = IdentifierSource(random: SeededRandom(seed: random.next()))
        while !waiting.isEmpty, complaints.count < 20 {
            // Neither depth nor breadth first, so that short and long lives are met alike.
            let node = waiting.remove(at: Int(random.number(in: 0...Int64(waiting.count - 1))))
            for input in WalkInput.all(of: node.order, &ids).shuffled(using: &random) { tell(input, to: node) }
        }
    }

    /// All that was found on walks from several checkouts.
    mutating func add(_ other: TransitionWalk) {
        taken.merge(other.taken) { $0.count <= $1.count ? $0 : $1 }
        refused.formUnion(other.refused)
        decisions.formUnion(other.decisions)
        complaints += other.complaints
        steps += other.steps
    }

    private mutating func tell(_ word: WalkInput, to node: Node) {
        steps += 1
        let (before, now) = (node.order, node.now.adding(milliseconds: word.afterMilliseconds))
        let cells = word.input.kinds.map { OrderTransition(OrderStanding(of: before), $0) }
        let path = node.path + ["\(word.name) [\(OrderStanding(of: before))]"]
        let ids = IdentifierSource(random: SeededRandom(seed: random.next()))
        var machine = OrderMachine(before, at: now, by: "one", rules: rules, ids: ids)
        do throws(RequestRefusal) { try machine.apply(word.input) } catch {
            refused.formUnion(cells)
            if machine.order != before || machine.record != OrderMachine.Record() {
                complain("a refusal changed something", path)
            }
            return
        }
        let step = machine.finish()
        for cell in cells where taken[cell].map({ $0.count > path.count }) ?? true { taken[cell] = path }
        decisions.insert([before.decision.state, step.order.decision.state])
        var books = node.books
        books.add(step.record.entries)
        let wrong =
            StepRules.complaints(
                from: before,
                to: step.order,
                leaving: step.record,
                isPlacing: word.input.kinds == [.placement]
            )
            + StepRules.complaints(performing: step.perform, by: "one", from: before, to: step.order)
            + books.complaints(of: step.order)
        for complaint in wrong { complain(complaint, path) }
        guard wrong.isEmpty, step.order != before else { return }
        meet(Node(order: step.order, books: books, now: now, path: path))
    }

    private mutating func complain(_ what: String, _ path: [String]) {
        complaints.append("\(what), after: \(path.joined(separator: "; "))")
    }

    /// Goes on from an order unless one like it was met, or enough that stand where it does.
    private mutating func meet(_ node: Node) {
        let standing = OrderStanding(of: node.order)
        guard counts[standing, default: 0] < width, met.insert(Self.likeness(of: node.order)).inserted else { return }
        counts[standing, default: 0] += 1
        waiting.append(node)
    }

    /// What two orders have in common of which only one need be followed.
    private static func likeness(of order: Order) -> String {
        let payments = order.payments.map { payment in
            let operations = payment.attempts.flatMap(\.operations).map { operation in
                "\(operation.kind) \(operation.state.name) \(operation.origin) \(operation.leasedBy == nil)"
            }
            let disputes = payment.disputes.map(\.state.rawValue)
            let isCalledOff = payment.canceledAt != nil
            return "\(payment.state) \(Set(operations).sorted()) \(disputes) \(isCalledOff) \(payment.held == 0)"
        }
        return "\(OrderStanding(of: order)) \(payments)"
    }
}
