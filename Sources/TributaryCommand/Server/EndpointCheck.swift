import Callbacks
import Domain
import Settings
import Storage
import Wiring

/// Checks stored endpoints of callbacks: what is stored, what it refers to, and whether they can be reached.
struct EndpointCheck: Sendable {
    /// From when on it is said that callbacks wait, in milliseconds: the retry schedule's second step.
    private static let lagMilliseconds: Int64 = 300_000
    /// How many endpoints are connected to at once.
    private static let connectionsAtOnce = 16

    /// The way to endpoints.
    let sender: CurlCallbackSender
    /// The secrets; nil without a key ring, which is a finding of its own.
    let secrets: SecretStore?
    /// The time by which certificates and lags are judged.
    let now: Timestamp
    /// Where the files and variables are.
    let surroundings: Surroundings

    /// Checks them all; connects to those that are sent to, and sends nothing.
    func findings(_ endpoints: [StoredEndpoint]) async -> [DoctorFinding] {
        await withTaskGroup(of: (Int, [DoctorFinding]).self) { group in
            var rest = endpoints.enumerated().makeIterator()
            for _ in 0..<Self.connectionsAtOnce {
                guard let (index, endpoint) = rest.next() else { break }
                group.addTask { (index, await findings(endpoint)) }
            }
            var found = [[DoctorFinding]](repeating: [], count: endpoints.count)
            while let (index, some) = await group.next() {
                found[index] = some
                if let (index, endpoint) = rest.next() { group.addTask { (index, await findings(endpoint)) } }
            }
            return found.flatMap(\.self)
        }
    }

    private func findings(_ stored: StoredEndpoint) async -> [DoctorFinding] {
        let (subject, place) = (stored.endpoint.marketplace, "callbacks of \(stored.name.harmless): ")
        func errors(_ sentences: [String]) -> [DoctorFinding] { sentences.map { .error(subject, place + $0) } }
        func warnings(_ sentences: [String]) -> [DoctorFinding] { sentences.map { .warning(subject, place + $0) } }
        let (stateErrors, stateWarnings) = state(of: stored)
        let identity = identityCheck(stored.endpoint)
        let identityErrors = (identity?.problems ?? []) + (identity?.absences ?? [])
        let isIdentityUsable = identityErrors.isEmpty
        return await errors(
            stateErrors + secretProblem(of: stored.endpoint) + identityErrors
                + obstacle(to: stored.endpoint, showsIdentity: isIdentityUsable)
        ) + warnings(stateWarnings + (identity?.warnings ?? []))
    }

    private func state(of stored: StoredEndpoint) -> (errors: [String], warnings: [String]) {
        let (endpoint, name) = (stored.endpoint, stored.name.harmless)
        var (errors, warnings): ([String], [String]) = ([], [])
        switch endpoint.state {
        case .disabled where endpoint.reason == .gone:
            errors.append("disabled, since it answered 410; `tributary callbacks enable \(name)` once it is back")
        case .disabled where stored.waiting > 0:
            warnings.append("disabled, and \(stored.waiting) callbacks wait there")
        case .disabled: break
        case .enabled:
            if endpoint.health.failures > 0 {
                let (since, why) = (endpoint.health.failingSince?.description ?? "-", endpoint.health.lastError ?? "-")
                warnings.append("has failed since \(since): \(why.harmless)")
            }
            if let oldest = stored.oldestWaiting, now.milliseconds(since: oldest) > Self.lagMilliseconds {
                warnings.append("\(stored.waiting) callbacks wait, the oldest since \(oldest)")
            }
        }
        if stored.dead > 0 {
            warnings.append(
                "\(stored.dead) dead letters; `tributary callbacks replay --state dead --endpoint \(name)` once it works"
            )
        }
        return (errors, warnings)
    }

    private func secretProblem(of endpoint: CallbackEndpoint) -> [String] {
        guard let secrets else { return [] }
        do {
            let secret = try secrets.open(endpoint.secrets.current, endpoint.id)
            return SigningSecret.problem(with: secret).map { ["the secret will not do: \($0)"] } ?? []
        } catch let refusal as SecretRefusal {
            return ["the secret: \(refusal)"]
        } catch {
            return ["the secret cannot be decrypted with the keys at hand"]
        }
    }

    private func identityCheck(_ endpoint: CallbackEndpoint) -> ClientIdentityCheck? {
        guard let identity = endpoint.identity, let certificate = SecretReference(identity.certificate),
            let key = SecretReference(identity.key)
        else { return nil }
        return ClientIdentityCheck(certificate: certificate, key: key, at: now, surroundings: surroundings)
    }

    private func obstacle(to endpoint: CallbackEndpoint, showsIdentity: Bool) async -> [String] {
        if let refusal = sender.refusal(of: endpoint.url) { return ["\(endpoint.url.harmless): \(refusal)"] }
        guard endpoint.state == .enabled else { return [] }
        let identity = showsIdentity ? try? secrets?.identity(of: endpoint) : nil
        let obstacle = await sender.obstacle(to: endpoint.url, as: identity)
        return obstacle.map { ["\(endpoint.url.harmless) cannot be reached: \($0)"] } ?? []
    }
}
