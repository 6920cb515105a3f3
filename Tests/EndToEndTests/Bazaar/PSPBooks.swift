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
    for order in orders {
      for payment in order.payments {
        for attempt in payment.attempts {
          found += differences(of: attempt).map {
            "\(order.id) \(payment.externalIdentifier): \($0)"
          }
        }
      }
    }
    let known = Set(orders.flatMap(\.payments).flatMap(\.attempts).map(\.id.text))
    for (account, authorizations) in accounts {
      for stray in authorizations where !known.contains(stray.command.reference) {
        found.append("\(account): \(stray.id) is for no order of ours")
      }
    }
    return found
  }

  private func differences(of attempt: Attempt) -> [String] {
    let all = accounts[attempt.route.pspAccount] ?? []
    let theirs = all.filter { $0.command.reference == attempt.id.text }
    var found: [String] = []
    if theirs.count > 1 { found.append("it was authorized \(theirs.count) times") }
    func compare(_ name: String, _ ours: Int64, _ part: (Authorization) -> Int64) {
      let sum = theirs.reduce(0) { $0 + part($1) }
      if sum != ours { found.append("\(name) is \(ours) with us and \(sum) with the PSP") }
    }
    compare("authorized", attempt.authorized) { $0.authorized }
    compare("held", attempt.held) { $0.held }
    compare("captured and not given back", attempt.net) { $0.captured - $0.refunded }
    if attempt.all(.reverse).isEmpty {
      compare("captured", attempt.captured) { $0.captured }
      compare("refunded", attempt.refunded) { $0.refunded }
    }
    return found + differences(of: attempt.operations, from: theirs.flatMap(\.operations))
  }

  /// Each effect of theirs is one success of ours, and none happened twice.
  private func differences(of ours: [Domain.Operation], from theirs: [PSPSimulator.Operation])
    -> [String]
  {
    var found: [String] = []
    let effects = theirs.filter { $0.status == .succeeded || $0.status == .reversed }
    for (reference, same) in Dictionary(grouping: effects, by: \.reference) where same.count > 1 {
      let kinds = Dictionary(grouping: same, by: \.kind)
      if kinds.contains(where: { $1.count > 1 }) {
        found.append("\(reference) had \(same.count) effects")
      }
    }
    let known = Dictionary(uniqueKeysWithValues: ours.map { ($0.id.text, $0) })
    for effect in effects {
      guard let operation = known[effect.reference] else { continue }
      if operation.state != .succeeded {
        found.append("\(operation.kind) had an effect and is \(operation.state)")
      }
    }
    let done = Set(effects.map(\.reference))
    for operation in ours where operation.state == .succeeded && operation.origin == .gateway {
      let isFound =
        done.contains(operation.id.text) || operation.kind == .authorize || operation.kind == .void
        || operation.kind == .reverse
      if !isFound { found.append("\(operation.kind) succeeded with us only") }
    }
    return found
  }
}
