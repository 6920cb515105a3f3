/// The calls to one PSP account, in the order they came: the first of them have a connection, the others wait.
///
/// Times are milliseconds.
struct CallLine: Hashable {
    private struct Call: Hashable {
        let number: UInt64
        /// Since when it has a connection; nil while it waits.
        var since: Int64?
    }

    /// The newest time counts for one part of so many.
    private static let weight: Int64 = 8
    /// How long a call takes as long as none was measured.
    private static let firstGuess: Int64 = 1000

    private let places: Int
    private var calls: [Call] = []
    /// How many calls are about to come.
    private(set) var expected = 0
    /// How long a call has a connection, as measured.
    private(set) var meanTime = Self.firstGuess
    private var isMeasured = false

    /// An account with so many connections.
    init(places: Int) { self.places = max(1, places) }

    /// A call is about to come, or does not come after all.
    mutating func expect(_ change: Int) { expected += change }

    /// A call comes.
    mutating func begin(_ number: UInt64, at now: Int64) {
        calls.append(Call(number: number, since: calls.count < places ? now : nil))
    }

    /// A call is over, or waits no longer.
    mutating func end(_ number: UInt64, at now: Int64) {
        guard let index = calls.firstIndex(where: { $0.number == number }) else { return }
        if let since = calls[index].since { measure(max(0, now - since)) }
        calls.remove(at: index)
        if index < places, calls.count >= places { calls[places - 1].since = now }
    }

    private mutating func measure(_ time: Int64) {
        meanTime = isMeasured ? meanTime + (time - meanTime) / Self.weight : time
        isMeasured = true
    }

    /// How long another call would wait for a connection.
    ///
    /// A PSP that stops answering is believed to be as slow as its calls under way already show.
    func wait(at now: Int64) -> Int64 {
        let ahead = calls.count + expected - places
        guard ahead >= 0 else { return 0 }
        let flying = calls.prefix(places).compactMap(\.since)
        let age = flying.isEmpty ? 0 : flying.reduce(0) { $0 + max(0, now - $1) } / Int64(flying.count)
        return Int64(ahead + 1) * max(meanTime, age) / Int64(places)
    }
}
