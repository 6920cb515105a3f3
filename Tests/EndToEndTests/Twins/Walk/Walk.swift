import Domain
import Gateway
import PSPSimulator
import SeededRandom
import Storage
import TributaryTestKit

/// A random walk over a few orders at one PSP, in which everything goes wrong that can.
struct Walk {
    private static let steps = 55
    /// How long the whole may take, in milliseconds, so that no hold lapses by itself: three of its seven days.
    private static let longest: Int64 = 3 * 86_400_000

    /// What an instance is called, and whether something it has in hand can still come back.
    struct Instance {
        let name: String
        let gateway: GatewayInstance
    }

    let stage: WalkStage
    let seed: WalkSeed
    var dice: SeededRandom
    var instances: [Instance] = []
    private var instanceNumber = 0
    private var placed = 0
    private var passed: Int64 = 0
    private var tasks: [Task<Void, Never>] = []
    private let start: Int64
    /// What happened, for the one who has to find out why.
    private(set) var story: [String] = []

    init(_ stage: WalkStage, _ seed: WalkSeed) {
        self.stage = stage
        self.seed = seed
        dice = SeededRandom(seed: seed.number)
        start = stage.clock.now().microseconds / 1000
        instances = [newInstance(), newInstance()]
    }

    private enum Happening {
        case order
        case beat
        case time
        case death
        case mail
        case portal
        case request
    }

    /// Walks until the end, and answers what is wrong then.
    mutating func walk() async throws -> [String] {
        for _ in 1...Self.steps { try await step() }
        let complaints = try await end()
        for task in tasks { task.cancel() }
        return complaints
    }

    /// Lets one thing happen, and waits until it has had its consequences.
    private mutating func step() async throws {
        let happening = dice.pick([
            (placed < WalkSeed.orders ? 12 : 0, Happening.order), (16, .beat), (26, .time), (4, .death), (18, .mail),
            (12, .portal), (12, .request),
        ])
        let index = Int.random(in: 0..<instances.count, using: &dice)
        switch happening {
        case .order: place(at: index)
        case .beat: break
        case .time:
            let milliseconds = dice.pick([
                (5, Int64.random(in: 1...3000, using: &dice)), (5, Int64.random(in: 3000...90_000, using: &dice)),
                (4, Int64.random(in: 90_000...4_000_000, using: &dice)),
                (1, Int64.random(in: 4_000_000...90_000_000, using: &dice)),
            ])
            if passed + milliseconds < Self.longest {
                tell("\(milliseconds) ms pass")
                await pass(milliseconds)
            }
        case .death:
            tell("\(instances[index].name) dies")
            instances[index].gateway.life.die()
        case .mail: await deliver(at: index)
        case .portal: try await act()
        case .request: try await ask(at: index)
        }
        beat(index)
        await settle()
        for index in instances.indices where instances[index].gateway.life.isDead {
            stage.mail.recover(from: instances[index].name)
            retire(index)
        }
        story += stage.psp.takeStory().map { "\(moment) \($0)" }
    }

    /// Lets the clock run on, and what arrives or falls due at the PSP happen in its order.
    mutating func pass(_ milliseconds: Int64) async {
        passed += milliseconds
        let end = stage.clock.now().microseconds / 1000 + milliseconds
        while let arrival = stage.psp.nextArrival, arrival <= end {
            stage.clock.advance(to: Timestamp(microseconds: arrival * 1000))
            await stage.psp.deliver()
        }
        stage.clock.advance(to: Timestamp(microseconds: end * 1000))
        await stage.psp.simulator.advance()
    }

    /// One look of an instance at what is due; a dead one never finishes it.
    mutating func beat(_ index: Int) {
        let (gateway, signal) = (instances[index].gateway, stage.signal)
        guard !gateway.life.isDead else { return }
        tasks.append(
            Task {
                try? await gateway.gateway.poll()
                signal.give()
            }
        )
    }

    /// Brings letters to an instance.
    mutating func deliver(at index: Int, all: Bool = false) async {
        let (instance, stage) = (instances[index], stage)
        let letters = stage.mail.next(for: instance.name, all: all)
        guard !letters.isEmpty else { return }
        tell("\(letters.map(\.event.type).joined(separator: ", ")) told to \(instance.name)")
        tasks.append(
            Task {
                for letter in letters {
                    await stage.deliver(letter, to: instance.gateway, named: instance.name)
                    stage.signal.give()
                }
            }
        )
    }

    /// Waits until nothing happens any more but for the clock.
    func settle() async {
        var quietLooks = 0
        var seen = (writes: -1, calls: -1)
        while quietLooks < 3 {
            try? await Task.sleep(for: .milliseconds(2))
            let now = (writes: stage.signal.count, calls: stage.psp.calls)
            quietLooks = now == seen ? quietLooks + 1 : 0
            seen = now
        }
    }

    /// Every instance dies; one that is born now carries everything to its end.
    mutating func replaceAll() {
        for instance in instances {
            instance.gateway.life.die()
            stage.mail.recover(from: instance.name)
        }
        instances.append(Instance(name: "healer", gateway: stage.instance("healer")))
    }

    mutating func run(_ body: @escaping @Sendable () async -> Void) { tasks.append(Task { await body() }) }

    mutating func tell(_ sentence: String) { story.append("\(moment) \(sentence)") }

    /// How long it has been walking.
    private var moment: String { Self.text(stage.clock.now().microseconds / 1000 - start) }

    /// A time since the start, as hours, minutes and seconds.
    func moment(of milliseconds: Int64) -> String { Self.text(milliseconds - start) }

    private static func text(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// A new instance in place of a dead one, whose tasks stay where they are until the end.
    private mutating func retire(_ index: Int) {
        graves.append(instances[index])
        instances[index] = newInstance()
    }

    /// The dead, whose tasks are let go at the end.
    private var graves: [Instance] = []

    /// Lets the tasks of all instances go, so that the database can be closed.
    func bury() async {
        for instance in instances + graves { instance.gateway.life.end() }
        for instance in instances + graves { await instance.gateway.database.drain() }
    }

    /// A new instance, which may carry its death within it.
    private mutating func newInstance() -> Instance {
        instanceNumber += 1
        // Dice of its own: when an instance is replaced must not change what happens besides.
        var dice = SeededRandom(seed: seed.number &+ UInt64(instanceNumber) << 32)
        let number = Int.random(in: 1...25, using: &dice)
        let death = dice.pick([
            (6, nil), (1, InstanceLife.Death.beforeWrite(number)), (1, .afterWrite(number)),
            (1, .beforeCall(number / 3 + 1)), (2, .afterCall(number / 3 + 1)),
        ])
        let name = "instance-\(instanceNumber)"
        if let death { tell("\(name) is born, to die \(death)") }
        return Instance(name: name, gateway: stage.instance(name, endingAt: death))
    }

    private mutating func place(at index: Int) {
        placed += 1
        let key = "order-\(placed)"
        guard let draft = try? draft(key) else { return }
        let instance = instances[index]
        tasks.append(
            Task {
                for _ in 1...3 {
                    do {
                        _ = try await instance.gateway.gateway.place(draft, under: TestCheckout.use(key))
                        return
                    } catch is PlacementRefusal {
                        return
                    } catch {}
                }
            }
        )
    }
}
