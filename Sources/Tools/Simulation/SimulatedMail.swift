import AdapterKit
import Domain
import Gateway
import HTTPTransport
import PSPSimulator
import Synchronization

/// What PSPs tell on their own: late, twice, out of order, some of it never; what is not acknowledged is sent again.
final class SimulatedMail: Sendable {
    /// A webhook on its way.
    private struct Letter: Sendable {
        let number: Int
        let place: Int
        let event: BookEvent
        let notice: WebhookNotice
    }

    private struct State {
        var number = 0
        /// Those that nobody has acknowledged, with how often each was refused.
        var waiting: [Int: Int] = [:]
        var untold: Set<String> = []
        /// Those of them of which an account's unasked capture is all that is untold.
        var unasked: Set<String> = []
        var refused: [String] = []
    }

    /// Who takes webhooks at the moment.
    typealias Recipient = @Sendable () -> SimulatedInstance?

    /// How long a PSP waits before it sends again what was not acknowledged, in milliseconds: twice as long each time, up to an
    /// hour.
    private static let patienceMilliseconds: ClosedRange<Int64> = 60_000...3_600_000
    private static let publicURL = "https://pay.travel.example"

    private let clock: VirtualClock
    private let weather: SimulationWeather
    private let trace: SimulationTrace
    private let twins: [PSPTwin]
    private let endpoints: [WebhookEndpoint]
    private let state = Mutex(State())
    private let recipient = Mutex<Recipient?>(nil)

    /// - Throws: `WebhookEndpointError`, which the PSPs' own secrets do not bring about.
    init(
        _ twins: [PSPTwin],
        _ clock: VirtualClock,
        _ weather: SimulationWeather,
        _ trace: SimulationTrace
    ) throws {
        self.twins = twins
        self.clock = clock
        self.weather = weather
        self.trace = trace
        endpoints = try twins.map { twin in
            try WebhookEndpoint(
                account: twin.account,
                url: "\(Self.publicURL)/v1/psp/\(twin)/\(twin)/webhooks",
                secret: twin.webhookSecret,
                dialect: twin.dialect.dialect
            )
        }
    }

    /// Says who takes webhooks.
    func deliver(to choose: @escaping Recipient) { recipient.withLock { $0 = choose } }

    /// The payments of which something happened that nobody tells and nobody can ask after, by their names at the PSP.
    var untold: Set<String> { state.withLock { $0.untold } }

    /// Whether something happened to one of these payments that nobody told and nobody could ask after.
    ///
    /// What an account captured unasked is found out by whatever else is asked of it, once that is answered: what is asked of a
    /// second authorization says nothing of the first.
    func hasUntold(of theirs: [PSPSimulator.Authorization], in attempts: [Attempt]) -> Bool {
        let (untold, unasked) = state.withLock { ($0.untold, $0.unasked) }
        let isAnswered = attempts.filter { !$0.isSurplus }.flatMap(\.operations).contains {
            $0.kind != .authorize && $0.origin != .psp && $0.state.isDefinite
        }
        return theirs.contains { untold.contains($0.id) && !(isAnswered && unasked.contains($0.id)) }
    }

    /// Whether something that an account captured unasked, and nobody heard of, failed after all: of that a webhook tells.
    func hasUnheardFailure(of theirs: [PSPSimulator.Authorization]) -> Bool {
        let unasked = state.withLock { $0.unasked }
        return theirs.contains { authorization in
            unasked.contains(authorization.id) && authorization.operations.contains { $0.status == .failedLater }
        }
    }

    /// Something happened to a payment that nobody tells again, and nobody can ask after.
    func leaveUntold(_ payments: [String]) {
        state.withLock { state in
            state.untold.formUnion(payments)
            state.unasked.subtract(payments)
        }
    }

    /// What the gateway refused for good.
    var refused: [String] { state.withLock { $0.refused } }

    /// Whether nothing is on its way.
    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Takes what the PSP in a place tells.
    func take(_ event: BookEvent, _ notices: [WebhookNotice], from place: Int) {
        let isLost = weather.strikes([.webhooksLost], at: place) != nil
        if PlantedBug.silentPortal.isPlanted, event.operation?.isPortals == true { return }
        let isUnheard = notices.isEmpty || event.announcement == .silent || isLost
        // Braintree has no notification of what is done in its portal; its settlement report is the means.
        let tellsPortal = twins[place].dialect != .braintree
        let silence = isUnheard ? ", tells nobody" : ""
        trace.tell("\(twins[place]) does: \(event.type) of \(event.authorization.id)\(silence)")
        // Where an answer says that a refund is done, no webhook says that it failed: its settlement report does.
        let isAnswered = !twins[place].answersLater.contains(.refund)
        let isLateFailure = event.type == "refund.failed" && notices.isEmpty && isAnswered
        // Checkout.com and Authorize.Net answer that a payment is authorized, also where the account captures it at once.
        let isUnasked = event.type == "authorization.captured" && !event.authorization.command.capture
        let answersHeld = [.checkout, .authorizeNet].contains(twins[place].dialect)
        let isFoundOutLater = isUnasked && answersHeld
        // What a buyer's step led to is told by its webhook alone where the PSP cannot be asked.
        let isSteps = event.type == "authorization.captured" && event.authorization.isTakenInSteps
        let isStepUnheard = isSteps && !twins[place].isAskedByReference
        let isUntold = event.isNobodysRequest || isLateFailure || isFoundOutLater || isStepUnheard
        if isUnheard ? isUntold : !tellsPortal && event.operation?.isPortals == true {
            state.withLock { state in
                let isNew = state.untold.insert(event.authorization.id).inserted
                if isNew, isFoundOutLater { state.unasked.insert(event.authorization.id) }
                if !isFoundOutLater { state.unasked.remove(event.authorization.id) }
            }
        }
        guard !isUnheard else { return }
        let isDoubled = event.announcement == .twice || weather.strikes([.webhooksTwice], at: place) != nil
        for notice in notices {
            for turn in 0..<(isDoubled ? 2 : 1) {
                let isLate = weather.strikes([.webhooksLate], at: place) != nil
                let wait = isLate ? weather.number(in: 1000...3_600_000) : weather.number(in: 1...4000)
                let number = state.withLock { state in
                    state.number += 1
                    state.waiting[state.number] = 0
                    return state.number
                }
                // What comes twice is one event, or the same news as two; Worldpay's names nothing that tells two apart.
                let isAnother = turn > 0 && twins[place].dialect != .worldpay && weather.number(in: 0...1) == 0
                let told = isAnother ? notice.again(turn) : notice
                send(Letter(number: number, place: place, event: event, notice: told), after: wait)
            }
        }
    }

    private func send(
        _ letter: Letter,
        after milliseconds: Int64,
        patience: Int64 = patienceMilliseconds.lowerBound
    ) {
        clock.after(milliseconds: milliseconds) { [self] in
            guard state.withLock({ $0.waiting[letter.number] != nil }) else { return }
            send(letter, after: patience, patience: min(patience * 2, Self.patienceMilliseconds.upperBound))
            guard let instance = recipient.withLock({ $0 })?() else { return }
            instance.start { [self] in await bring(letter, to: instance) }
        }
    }

    private func bring(_ letter: Letter, to instance: SimulatedInstance) async {
        let (twin, endpoint) = (twins[letter.place], endpoints[letter.place])
        let post = twin.dialect.dialect.post(letter.notice, to: endpoint, at: clock.now.microseconds / 1_000_000)
        let incoming = IncomingWebhook(
            body: post.body,
            headers: post.headers.map { Header($0.name, $0.value) },
            url: endpoint.url,
            receivedAt: instance.clock.now()
        )
        trace.tell("\(twin) tells \(instance.name): \(letter.event.type) of \(letter.event.authorization.id)")
        do {
            let reply = try await instance.gateway.webhooks.receive(incoming, for: "\(twin)", of: "\(twin)")
            guard let reply, 200..<300 ~= reply.status else {
                return refuse(letter, because: reply.map { "\($0.status)" } ?? "unknown account")
            }
            state.withLock { _ = $0.waiting.removeValue(forKey: letter.number) }
        } catch let refusal as WebhookRefusal {
            refuse(letter, because: "\(refusal)")
        } catch {
            trace.tell("\(instance.name) takes no webhook: \(error)")
        }
    }

    private func refuse(_ letter: Letter, because reason: String) {
        state.withLock { state in
            guard let refusals = state.waiting[letter.number] else { return }
            state.waiting[letter.number] = refusals < 2 ? refusals + 1 : nil
            if refusals >= 2 { state.refused.append("the webhook \(letter.event.type) was refused: \(reason)") }
        }
    }
}
