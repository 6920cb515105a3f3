import Domain
import PSPSimulator

/// What the PSPs say they did, to be compared with what we say they did.
struct PSPBooks {
    /// The authorizations of each PSP account, by our name for the account.
    let accounts: [String: [Authorization]]
    /// What the simulators found wrong by themselves.
    let violations: [String]

    /// Reads the books of a bazaar whose n-th account is at the n-th simulator.
    static func read(_ simulators: [RunningSimulator], prefix: String = "") async -> PSPBooks {
        var accounts: [String: [Authorization]] = [:]
        var violations: [String] = []
        for (number, simulator) in simulators.enumerated() {
            let name = prefix + Bazaar.bookName(ofAccount: number)
            accounts["psp-\(number)"] = await simulator.authorizations(of: name)
            violations += await simulator.read { books, _ in books.violations }
        }
        return PSPBooks(accounts: accounts, violations: violations)
    }

    /// Where orders at rest and the PSPs disagree, as sentences; none if all is well.
    func differences(from orders: [Order]) -> [String] {
        var found = violations
        for attempt in orders.flatMap(\.payments).flatMap(\.attempts) {
            let theirs = (accounts[attempt.route.pspAccount] ?? []).filter {
                $0.command.reference == attempt.id.text
            }
            found += differences(of: attempt, from: theirs).map { "\(attempt.id): \($0)" }
            found += differences(of: attempt.operations, from: theirs.flatMap(\.operations))
        }
        let known = Set(orders.flatMap(\.payments).flatMap(\.attempts).map(\.id.text))
        let strays = accounts.values.joined().filter { !known.contains($0.command.reference) }
        return found + strays.map { "\($0.id) is for no order of ours" }
    }

    /// The amounts are the same; of a capture that was undone before it settled, the PSP keeps none.
    private func differences(of attempt: Attempt, from theirs: [Authorization]) -> [String] {
        var found = theirs.count > 1 ? ["it was authorized \(theirs.count) times"] : []
        func compare(_ name: String, _ ours: Int64, _ part: (Authorization) -> Int64) {
            let sum = theirs.reduce(0) { $0 + part($1) }
            if sum != ours { found.append("\(name) is \(ours) with us and \(sum) with the PSP") }
        }
        compare("authorized", attempt.authorized) { $0.authorized }
        compare("held", attempt.held) { $0.held }
        compare("captured and not given back", attempt.net) { $0.captured - $0.refunded }
        if attempt.all(.reverse).isEmpty { compare("captured", attempt.captured) { $0.captured } }
        return found
    }

    /// Each effect of theirs is one success of ours, and none happened twice.
    private func differences(of ours: [Domain.Operation], from theirs: [BookedOperation]) -> [String] {
        let effects = theirs.filter { $0.status == .succeeded || $0.status == .reversed }
        var found: [String] = []
        for (reference, same) in Dictionary(grouping: effects, by: \.reference) {
            let isTwice = Dictionary(grouping: same, by: \.kind).contains { $1.count > 1 }
            if isTwice { found.append("\(reference) had \(same.count) effects") }
        }
        let known = Dictionary(uniqueKeysWithValues: ours.map { ($0.id.text, $0) })
        for effect in effects {
            guard let operation = known[effect.reference], operation.state != .succeeded else { continue }
            found.append("\(operation.id) had an effect and is \(operation.state.name) with us")
        }
        return found
    }
}
