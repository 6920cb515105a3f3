package import Domain
import Synchronization

/// What a push service answers to a push, as Apple's does ("Handling notification responses from APNs").
package enum APNsAnswer: Hashable, Sendable {
    /// 200: it goes to the device.
    case delivered
    /// 410: the device took the app or the order away, at this moment.
    case unregistered(at: Timestamp)
    /// 400: it is no device's token, or one of another environment.
    case badDeviceToken
    /// 429: too many for this device.
    case tooManyRequests
    /// 500: the service broke.
    case serverError
    /// 503: the service is down or shutting down.
    case unavailable
    /// Nothing, ever: the connection stays open.
    case silence

    /// The status and the reason of the answer; nil for silence.
    var status: (code: Int, reason: String?)? {
        switch self {
        case .delivered: (200, nil)
        case .unregistered: (410, "Unregistered")
        case .badDeviceToken: (400, "BadDeviceToken")
        case .tooManyRequests: (429, "TooManyRequests")
        case .serverError: (500, "InternalServerError")
        case .unavailable: (503, "ServiceUnavailable")
        case .silence: nil
        }
    }
}

/// A push as the service took it, whatever it answered.
package struct APNsPush: Hashable, Sendable {
    /// The device's token.
    package let pushToken: String
    /// `apns-topic`: the order type.
    package let topic: String
    /// `apns-push-type`.
    package let pushType: String?
    /// `apns-priority`.
    package let priority: String?
    /// The payload.
    package let payload: [UInt8]
    /// Which connection it came over, counted from 1.
    package let connection: Int
    /// What it was answered.
    package let answer: APNsAnswer
}

/// What a push service was sent, and what it is to answer next.
package final class APNsBook: Sendable {
    private struct State {
        var pushes: [APNsPush] = []
        var refusals: [String] = []
        var scripts: [String: [APNsAnswer]] = [:]
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextListener = 0
    }

    private let state = Mutex(State())

    /// An empty book; every push is delivered.
    package init() {}

    /// Has the next pushes to a device answered like this, one after another; later ones are delivered.
    package func script(_ pushToken: String, _ answers: APNsAnswer...) {
        state.withLock { $0.scripts[pushToken, default: []] += answers }
    }

    /// Every push so far, in the order in which they came.
    package var pushes: [APNsPush] { state.withLock(\.pushes) }

    /// The pushes to a device so far.
    package func pushes(to pushToken: String) -> [APNsPush] { pushes.filter { $0.pushToken == pushToken } }

    /// Why requests were refused that no service would have taken: a wrong topic, a path or a payload.
    package var refusals: [String] { state.withLock(\.refusals) }

    /// How many connections pushes came over.
    package var connections: Int { Set(pushes.map(\.connection)).count }

    /// Waits until so many pushes came in all.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - limit: how long to wait.
    /// - Returns: whether they came in time.
    package func wait(for count: Int, within limit: Duration = .seconds(20)) async -> Bool {
        let (news, teller) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = teller
            return state.nextListener
        }
        defer { state.withLock { $0.listeners[number] = nil } }
        teller.yield()
        let alarm = Task {
            try await Task.sleep(for: limit)
            teller.finish()
        }
        defer { alarm.cancel() }
        for await _ in news where pushes.count >= count { return true }
        return pushes.count >= count
    }

    /// Takes the next answer for a device.
    func nextAnswer(to pushToken: String) -> APNsAnswer {
        state.withLock { state in
            guard var script = state.scripts[pushToken], !script.isEmpty else { return .delivered }
            defer { state.scripts[pushToken] = script }
            return script.removeFirst()
        }
    }

    func record(_ push: APNsPush) {
        let listeners = state.withLock { state in
            state.pushes.append(push)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    func refuse(_ reason: String) { state.withLock { $0.refusals.append(reason) } }
}
