import Foundation
import SQL
import SeededRandom
import TributaryTestKit

/// A marketplace under way, and what can be done to it.
struct SoakStage: Sendable {
    let fleet: Fleet
    let postgres: ReplicatedPostgres
    /// The ways to the PSPs.
    let links: [FaultyLink]
    /// The disks of the database's two servers; none where none can be mounted.
    let disks: [SmallDisk]
    /// Each gateway's clock, by its number.
    let clocks: [SetClock]
    let log: SoakLog

    /// Does something to the marketplace and puts it right again, as it goes in operations: others see to it, or it passes.
    func strike(_ fault: SoakFault, _ random: inout SeededRandom) async throws {
        let (gateway, link) = (random.below(fleet.count), links[random.below(links.count)])
        let milliseconds = 500 + random.below(3000)
        switch fault {
        case .gatewayKilled: try await kill([gateway], for: milliseconds / 4)
        case .gatewaysKilled: try await kill([gateway, 1 - gateway], for: milliseconds / 4)
        case .gatewayFrozen:
            let process = fleet.process(gateway)
            log.tell("gateway \(gateway) stands still for \(2 * milliseconds) ms")
            Foundation.kill(process, SIGSTOP)
            try? await Task.sleep(for: .milliseconds(2 * milliseconds))
            Foundation.kill(process, SIGCONT)
        case .pspSlow: try await turn(link, .slow(milliseconds: 100 + random.below(1500)), for: milliseconds)
        case .pspSilent: try await turn(link, .silent, for: milliseconds, cutting: true)
        case .pspCut: try await cut(link, times: 5 + random.below(20))
        case .pspClosed: try await turn(link, .closed, for: milliseconds, cutting: true)
        case .databaseSlow:
            try await turn(postgres.link, .slow(milliseconds: 20 + random.below(180)), for: milliseconds)
        case .databaseSilent: try await turn(postgres.link, .silent, for: milliseconds, cutting: random.below(2) == 0)
        case .databaseCut: try await cut(postgres.link, times: 5 + random.below(20))
        case .standbyFrozen:
            log.tell("the standby stands still for \(milliseconds) ms")
            try await postgres.freeze(standby: true, for: .milliseconds(milliseconds))
        case .primaryFrozen:
            log.tell("the primary stands still for \(milliseconds) ms")
            try await postgres.freeze(standby: false, for: .milliseconds(milliseconds))
        case .primaryCrashed: try await postgres.crash()
        case .standbyPromoted: try await postgres.promote()
        case .diskFull: try await fillDisk(for: milliseconds)
        case .connectionsUsedUp: try await useConnectionsUp(for: milliseconds)
        case .clockSet:
            let step = ["+2h", "-2h", "+10s", "-45s", "+3d"][random.below(5)]
            log.tell("gateway \(gateway) sees its clock at \(step)")
            try clocks[gateway].set(step)
            try await Task.sleep(for: .milliseconds(milliseconds))
            try clocks[gateway].set("+0")
        }
    }

    /// Has nothing wrong any more.
    func heal() async throws {
        for link in links + [postgres.link] { link.turn(.fair) }
        for clock in clocks { try clock.set("+0") }
        try await postgres.revive()
    }

    private func kill(_ gateways: [Int], for milliseconds: Int) async throws {
        for gateway in gateways { await fleet.kill(gateway) }
        log.tell("killed: \(gateways), for \(milliseconds) ms")
        try await Task.sleep(for: .milliseconds(milliseconds))
        for gateway in gateways { try await fleet.restart(gateway) }
    }

    private func turn(
        _ link: FaultyLink,
        _ weather: FaultyLink.Weather,
        for milliseconds: Int,
        cutting: Bool = false
    ) async throws {
        log.tell("\(weather) for \(milliseconds) ms\(cutting ? ", then cut" : "")")
        link.turn(weather)
        try? await Task.sleep(for: .milliseconds(milliseconds))
        if cutting { link.cut() }
        link.turn(.fair)
    }

    private func cut(_ link: FaultyLink, times: Int) async throws {
        log.tell("cut \(times) times")
        for _ in 0..<times {
            link.cut()
            try await Task.sleep(for: .milliseconds(90))
        }
    }

    private func fillDisk(for milliseconds: Int) async throws {
        guard let disk = disks.first(where: { $0.path == postgres.primaryFolder }) else {
            return log.tell("left out: " + SmallDisk.want)
        }
        try disk.fill()
        log.tell("full for \(2 * milliseconds) ms")
        try? await Task.sleep(for: .milliseconds(2 * milliseconds))
        try disk.makeRoom()
        try await postgres.revive()
    }

    /// Holds as many connections as the server has, while those of the gateways are cut.
    private func useConnectionsUp(for milliseconds: Int) async throws {
        let count = ReplicatedPostgres.connections
        postgres.link.cut()
        try await DatabaseLocation.postgres(url: postgres.primaryURL).withOpen(connections: count) { database in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        let seconds = Double(milliseconds) / 1000
                        let held = try? await database.read { session in
                            try session.rows(SQL(stringLiteral: "SELECT pg_sleep(\(seconds))")).count
                        }
                        return held == 1
                    }
                }
                let held = await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                log.tell("\(held) of \(count) connections were held for \(milliseconds) ms")
            }
        }
    }
}
