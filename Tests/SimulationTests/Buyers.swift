import Domain
import Gateway
import Synchronization
import TributaryTestKit

/// The checkouts of a simulation and what they were told.
final class Buyers: Sendable {
    private struct State {
        var checkouts: [String: TestCheckout] = [:]
        var answers: [String: [Gateway.Answer]] = [:]
        var refusals: [String] = []
        var waiting: [Task<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The keys of all checkouts, in their order.
    var keys: [String] { state.withLock { $0.checkouts.keys.sorted() } }

    /// Sends a new checkout to an instance, and does not wait for the answer.
    func send(_ checkout: TestCheckout, key: String, to instance: GatewayInstance) {
        state.withLock { $0.checkouts[key] = checkout }
        ask(key, checkout, of: instance)
    }

    /// Sends a checkout again under its key.
    func repeatRequest(_ key: String, to instance: GatewayInstance) {
        guard let checkout = state.withLock({ $0.checkouts[key] }) else { return }
        ask(key, checkout, of: instance)
    }

    /// Nobody waits any longer.
    func leave() {
        for task in state.withLock(\.waiting) { task.cancel() }
    }

    /// What is wrong with what they were told: one key is one order, and its final answer is the same for ever.
    var complaints: [String] {
        let (answers, refusals) = state.withLock { ($0.answers, $0.refusals) }
        var complaints = refusals
        for (key, told) in answers {
            if Set(told.map(\.order)).count > 1 { complaints.append("\(key) is several orders") }
            let final = Set(told.map(\.body).filter { if case .final = $0 { true } else { false } })
            if final.count > 1 { complaints.append("\(key) was answered in several ways") }
        }
        return complaints
    }

    /// The orders they were told of.
    var orders: Set<OrderID> { state.withLock { Set($0.answers.values.joined().map(\.order)) } }

    private func ask(_ key: String, _ checkout: TestCheckout, of instance: GatewayInstance) {
        let task = Task {
            do {
                let answer = try await instance.place(checkout, key: key)
                state.withLock { $0.answers[key, default: []].append(answer) }
            } catch let refusal as PlacementRefusal {
                state.withLock { $0.refusals.append("\(key) was refused: \(refusal)") }
            } catch {
                // The database was out of reach; the buyer may try again.
            }
        }
        state.withLock { $0.waiting.append(task) }
    }
}
