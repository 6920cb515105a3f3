import AdapterKit
import Callbacks
import Domain
import Storage
import Synchronization

/// The endpoints of callbacks: they check signatures, remember what they took, and fail as the weather has it.
final class SimulatedEndpoints: Sendable {
    /// What all of them check signatures with, whoever asks for it.
    static let secrets = SecretStore(
        seal: { _, _ in .reference("env:SECRET") },
        open: { _, _ in Secret("whsec_c2ltdWxhdGVkLWVuZHBvaW50LXNlY3JldA==") }
    )

    private struct State {
        var taken: Set<String> = []
        var refused: [String] = []
    }

    private let clock: VirtualClock
    private let weather: SimulationWeather
    private let trace: SimulationTrace
    private let state = Mutex(State())

    init(_ clock: VirtualClock, _ weather: SimulationWeather, _ trace: SimulationTrace) {
        self.clock = clock
        self.weather = weather
        self.trace = trace
    }

    /// The names of the callbacks that were taken.
    var taken: Set<String> { state.withLock { $0.taken } }

    /// What was wrong with callbacks that came.
    var refused: [String] { state.withLock { $0.refused } }

    /// Takes a callback, or fails to.
    func take(_ request: CallbackRequest, from place: Int) async -> CallbackReply {
        let fault = weather.strikes([.endpointsFail, .endpointsSilent], at: place)
        if fault == .endpointsFail { return .status(weather.pick([(3, 500), (2, 503), (1, 302)]), retryAfter: nil) }
        if fault == .endpointsSilent, weather.number(in: 0...1) == 0 { return await beSilent() }
        await wait(milliseconds: weather.pick([(6, 30), (2, 400), (1, 4000)]))
        let headers = request.headers.map { Header($0.name, $0.value) }
        let incoming = IncomingWebhook(
            body: request.body,
            headers: headers,
            url: request.url,
            receivedAt: clock.now
        )
        guard let secret = try? Self.secrets.open(.reference(""), request.endpoint),
            let key = StandardWebhooks.key(secret)
        else { return .status(500, retryAfter: nil) }
        do {
            let name = try StandardWebhooks.verify(incoming, with: [key])
            trace.tell("an endpoint takes \(name)")
            state.withLock { _ = $0.taken.insert(name) }
        } catch {
            // One that stood still with its instance is too old by the time it comes.
            if error != .outsideTolerance {
                state.withLock { $0.refused.append("a callback was refused: \(error)") }
            }
            return .status(400, retryAfter: nil)
        }
        if fault == .endpointsSilent { return await beSilent() }
        return .status(204, retryAfter: nil)
    }

    private func beSilent() async -> CallbackReply {
        await wait(milliseconds: 10_000)
        return .silence("timeout")
    }

    private func wait(milliseconds: Int64) async {
        try? await clock.sleep(until: clock.now.adding(milliseconds: milliseconds))
    }
}

/// One instance's way to the endpoints, which ends with its life.
struct InstanceCallbacks: CallbackSender {
    let endpoints: SimulatedEndpoints
    let life: SimulatedLife
    let place: Int

    func send(_ request: CallbackRequest) async -> CallbackReply {
        guard await life.pass() else { return .interrupted }
        let reply = await endpoints.take(request, from: place)
        guard await life.pass() else { return .interrupted }
        return reply
    }

    func refusal(of url: String) -> String? { nil }
}
