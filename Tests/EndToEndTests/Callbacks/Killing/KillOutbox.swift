import AdapterKit
import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

/// What is written down before deliverers are killed, and what must have become of it.
struct KillOutbox: Sendable {
    /// Longer ago than anything waits for a disabled endpoint.
    private static let longAgoMilliseconds: Int64 = 31 * 86_400_000

    /// The agency's own endpoint, one that wants nothing more, and one that was disabled long ago.
    private let endpoints: [CallbackEndpoint]
    /// What the agency is told: of two orders.
    private let own: [NewCallback]
    /// What the one that wants nothing more is told.
    private let unwanted: NewCallback
    /// What waited too long.
    private let deserted: NewCallback

    /// Writes it all.
    static func write(
        _ own: ScriptedServer,
        _ gone: ScriptedServer,
        to database: any Database
    ) async throws -> KillOutbox {
        let now = Timestamp(microseconds: try await database.now())
        let before = now.adding(milliseconds: -longAgoMilliseconds)
        var ids = IdentifierSource()
        let owners = [nil] + TestMarketplace.travel.merchants.prefix(2).map { Optional($0.id) }
        let endpoints = zip(owners, [own, gone, own]).map { owner, server in
            CallbackEndpoint(
                id: ids.make(at: now),
                marketplace: "travel",
                merchant: owner,
                url: "http://127.0.0.1:\(server.port)/hooks",
                secrets: CallbackSecrets(.reference("env:HOOK_SECRET")),
                createdAt: now
            )
        }
        let orders: [(OrderID, Int64)] = [(ids.make(at: now), 3), (ids.make(at: now), 2)]
        let told = orders.flatMap { order, count in
            (1...count).map { callback(for: endpoints[0], order, $0, at: now, &ids) }
        }
        let outbox = KillOutbox(
            endpoints: endpoints,
            own: told,
            unwanted: callback(for: endpoints[1], ids.make(at: now), 1, at: now, &ids),
            deserted: callback(for: endpoints[2], ids.make(at: now), 1, at: before, &ids)
        )
        try await database.write { session in
            for endpoint in endpoints { try CallbackEndpointTable.save(endpoint, in: session) }
            try Outbox.insert(told + [outbox.unwanted, outbox.deserted], in: session)
            _ = try CallbackEndpointTable.disable(endpoints[2].id, because: .undeclared, in: session)
        }
        return outbox
    }

    /// A callback whose body names it.
    static func callback(
        for endpoint: CallbackEndpoint,
        _ order: OrderID,
        _ sequence: Int64,
        at time: Timestamp,
        _ ids: inout IdentifierSource
    ) -> NewCallback {
        NewCallback(
            id: ids.make(at: time),
            marketplace: endpoint.marketplace,
            merchant: endpoint.merchant,
            order: order,
            payment: nil,
            type: "order.paid",
            sequence: sequence,
            payload: #"{"type":"order.paid","sequence":\#(sequence),"data":{"order":"\#(order)","name":"Zürich"}}"#,
            at: time
        )
    }

    /// Whether something arrived of which the outbox does not say so.
    func isAheadOfBooks(_ server: ScriptedServer, in database: any Database) async throws -> Bool {
        let tried = Set(server.requests.compactMap { $0.header("webhook-id") })
        return try await stored(in: database).contains { row in
            tried.contains(row.id.text) && row.state == .waiting && row.attempts == 0
        }
    }

    /// Whether an endpoint answered 410 that is still enabled.
    func isGoneUnrecorded(_ server: ScriptedServer, in database: any Database) async throws -> Bool {
        let id = endpoints[1].id
        let endpoint = try await database.read { try CallbackEndpointTable.find(id, in: $0) }
        return endpoint?.state == .enabled && !server.requests.isEmpty
    }

    /// Whether nothing waits for the agency any more.
    func isAtRest(in database: any Database) async throws -> Bool {
        try await stored(in: database).allSatisfy { $0.endpoint != endpoints[0].id || $0.state != .waiting }
    }

    /// What is not as it has to be in the end.
    func complaints(
        _ own: ScriptedServer,
        _ gone: ScriptedServer,
        in database: any Database
    ) async throws -> [String] {
        let key = try #require(StandardWebhooks.key(Secret(Hooks.secret)))
        let rows = try await stored(in: database)
        let states = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        let notices = rows.filter { $0.content.type == "endpoint.disabled" }.map(\.content)
        let id = endpoints[1].id
        let disabled = try await database.read { try CallbackEndpointTable.find(id, in: $0) }
        var complaints = ReceivedCallbacks(requests: own.requests).complaints(against: self.own + notices, key: key)
        complaints += ReceivedCallbacks(requests: gone.requests).complaints(against: [unwanted], key: key)
        for callback in self.own + notices where states[callback.id]?.state != .delivered {
            complaints.append("\(callback.id) is \(states[callback.id]?.state.rawValue ?? "lost")")
        }
        if notices.count != 1 { complaints.append("\(notices.count) notices of an endpoint that is gone") }
        if disabled?.reason != .gone { complaints.append("the endpoint that is gone is not disabled") }
        if states[unwanted.id]?.state != .waiting { complaints.append("what is not wanted does not wait") }
        if states[deserted.id]?.state != .dead { complaints.append("what waited too long is not given up") }
        return complaints
    }

    private func stored(in database: any Database) async throws -> [StoredCallback] {
        try await database.read {
            try CallbackTable.list(CallbackTable.Filter(marketplace: "travel"), limit: 1000, in: $0)
        }
    }
}
