package import Domain
package import SQL
package import Storage
import StrictJSON

/// What of the stored still needs which key of a ring.
package struct KeyringStatus: Hashable, Sendable {
    /// A key, and how much is sealed with it.
    package struct Line: Hashable, Sendable {
        /// The key's name.
        package let key: String
        /// Whether it seals.
        package let isCurrent: Bool
        /// Whether the ring has it.
        package let isInRing: Bool
        /// How much of each kind it seals.
        package let counts: [SealedKind: Int64]

        /// How much it seals.
        package var total: Int64 { counts.values.reduce(0, +) }
    }

    /// The ring's keys, the current one first, and those that it lacks.
    package let lines: [Line]

    /// Compares a ring with what is stored.
    package init(_ ring: RingKeys, _ needs: [KeyringNeed]) {
        let lacking = Set(needs.map(\.key)).subtracting(ring.names).sorted()
        lines = (ring.names + lacking).map { name in
            let own = needs.filter { $0.key == name }
            return Line(
                key: name,
                isCurrent: name == ring.current,
                isInRing: ring.names.contains(name),
                counts: Dictionary(own.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
            )
        }
    }

    /// How much is sealed with other keys than the current one.
    package var left: Int64 { lines.filter { !$0.isCurrent }.reduce(0) { $0 + $1.total } }

    /// The keys that the ring has and nothing needs any more.
    package var removable: [String] { lines.filter { $0.isInRing && !$0.isCurrent && $0.total == 0 }.map(\.key) }
}

/// Puts everything that is sealed with other keys of a ring under the current one, beside instances that run.
///
/// A batch is one transaction, and each row changes only if it is still what was read: a row that somebody changes
/// meanwhile is left to the next round. Whoever stops it loses nothing, and begins again with what is left.
package struct KeyringRotation: Sendable {
    /// What came of it.
    package struct Result: Hashable, Sendable {
        /// How many values were sealed anew.
        package var resealed = 0
        /// How many cannot be opened: their key is not in the ring, or they were damaged.
        package var unreadable = 0

        /// Nothing yet.
        package init() {}
    }

    /// How many rows one transaction changes at most.
    package static let batchLimit = 100
    /// How often it goes through everything, if rows change under its hands.
    private static let roundLimit = 3
    /// The shortest and the longest pause between two batches, otherwise as long as the batch took.
    private static let pauses = (shortest: Duration.milliseconds(1), longest: Duration.seconds(1))

    private let database: any Database
    private let ring: RingKeys

    /// Rotates in a database.
    package init(_ database: any Database, _ ring: RingKeys) {
        self.database = database
        self.ring = ring
    }

    /// What needs which key.
    ///
    /// - Throws: `SQLError`.
    package func status(at now: Timestamp) async throws -> KeyringStatus {
        let needs = try await database.read { session in try SealedValues.needs(at: now, in: session) }
        return KeyringStatus(ring, needs)
    }

    /// Writes down in each marketplace's audit trail that somebody puts what is sealed under the current key.
    ///
    /// - Throws: `SQLError`.
    package func record(by actor: AuditActor, at now: Timestamp) async throws {
        try await database.write { [ring] session in
            for marketplace in try MarketplaceTable.all(in: session).map(\.id) {
                try AuditTrailTable.record(
                    .rotateKeyring,
                    by: actor,
                    on: AuditSubject(.marketplace, marketplace),
                    of: marketplace,
                    at: now,
                    ["key": .string(ring.current)],
                    in: session
                )
            }
        }
    }

    /// Seals anew what is sealed with other keys.
    ///
    /// - Parameters:
    ///   - now: the database's time.
    ///   - batch: how many rows one transaction changes at most.
    ///   - onProgress: told behind each batch how many values were sealed anew in it; what it throws ends the rotation.
    /// - Returns: what came of it.
    /// - Throws: `SQLError`, `CancellationError`, or what `onProgress` throws.
    package func run(
        at now: Timestamp,
        batch: Int = Self.batchLimit,
        onProgress: (Int) throws -> Void = { _ in }
    ) async throws -> Result {
        var result = Result()
        for _ in 0..<Self.roundLimit {
            let before = result.resealed
            result.unreadable = 0
            for kind in SealedKind.allCases where kind != .endpointSecrets {
                try await reseal(kind, batch, &result, onProgress)
            }
            try await resealEndpoints(at: now, batch, &result, onProgress)
            guard result.resealed > before, try await status(at: now).left > 0 else { break }
        }
        return result
    }

    private func reseal(
        _ kind: SealedKind,
        _ batch: Int,
        _ result: inout Result,
        _ onProgress: (Int) throws -> Void
    ) async throws {
        var cursor = ""
        while true {
            let started = ContinuousClock.now
            let page = try await database.read { [ring, cursor] session in
                try SealedValues.values(of: kind, notUnder: ring.current, after: cursor, limit: batch, in: session)
            }
            guard let last = page.last else { return }
            cursor = last.id
            let anew = page.compactMap { value -> (SealedValues.Value, CredentialTable.Sealed)? in
                guard let bytes = try? ring.open(value.sealed, value.context),
                    let sealed = try? ring.seal(bytes, ring.current, value.context)
                else { return nil }
                return (value, sealed)
            }
            result.unreadable += page.count - anew.count
            let count = try await database.write { session in
                try anew.count { value, sealed in
                    try SealedValues.replace(value, of: kind, by: sealed, in: session)
                }
            }
            result.resealed += count
            try onProgress(count)
            try await pause(since: started)
        }
    }

    private func resealEndpoints(
        at now: Timestamp,
        _ batch: Int,
        _ result: inout Result,
        _ onProgress: (Int) throws -> Void
    ) async throws {
        var cursor = ""
        while true {
            let started = ContinuousClock.now
            let page = try await database.read { [cursor] session in
                try SealedValues.endpoints(after: cursor, limit: batch, in: session)
            }
            guard let last = page.last else { return }
            cursor = last.id.text
            var anew: [(endpoint: SealedValues.Endpoint, secrets: CallbackSecrets, count: Int)] = []
            for endpoint in page {
                let old = endpoint.secrets.keyIDs(at: now).count { $0 != ring.current }
                guard old > 0 else { continue }
                guard let secrets = try? endpoint.secrets.kept(at: now, { try ring.resealSecret($0, endpoint.id) })
                else {
                    result.unreadable += old
                    continue
                }
                anew.append((endpoint, secrets, old))
            }
            guard !anew.isEmpty else { continue }
            let count = try await database.write { [anew] session in
                try anew.reduce(0) { sum, change in
                    try SealedValues.replace(change.endpoint, by: change.secrets, in: session)
                        ? sum + change.count : sum
                }
            }
            result.resealed += count
            try onProgress(count)
            try await pause(since: started)
        }
    }

    /// Leaves the database to others for as long as the batch had it.
    private func pause(since started: ContinuousClock.Instant) async throws {
        let worked = ContinuousClock.now - started
        try await Task.sleep(for: min(max(worked, Self.pauses.shortest), Self.pauses.longest))
    }
}
