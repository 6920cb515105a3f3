import Domain
import Gateway

/// A clock that is ahead of another, so that an instance sees at once what is due later.
struct AdvancedClock: GatewayClock {
    let base: any GatewayClock
    let milliseconds: Int64

    func now() -> Timestamp { base.now().adding(milliseconds: milliseconds) }

    func sleep(until time: Timestamp) async throws {
        try await base.sleep(until: time.adding(milliseconds: -milliseconds))
    }
}
