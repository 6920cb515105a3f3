import AdapterKit
import Domain
import Gateway
import PSPSimulator
import Synchronization
import WireFormats

/// The way to the PSPs and back, which loses, delays and mangles as the weather has it.
final class SimulatedNetwork: Sendable {
    /// A PSP that can be reached.
    struct Line: Sendable {
        /// Its place among those of the run.
        let place: Int
        /// What it is.
        let twin: PSPTwin
        /// Its books.
        let simulator: LocalSimulator
    }

    private let lines: [String: Line]
    private let clock: VirtualClock
    private let weather: SimulationWeather
    private let trace: SimulationTrace
    private let open = Mutex(0)
    private let numbers = Mutex(0)

    init(_ lines: [Line], _ clock: VirtualClock, _ weather: SimulationWeather, _ trace: SimulationTrace) {
        self.lines = Dictionary(uniqueKeysWithValues: lines.map { (Self.url(of: $0.place), $0) })
        self.clock = clock
        self.weather = weather
        self.trace = trace
    }

    /// Where the PSP in a place is reached.
    static func url(of place: Int) -> String { "http://127.0.0.1:\(place + 1)" }

    /// Whether a request is under way, or arrives though its sender has given it up.
    var isBusy: Bool { open.withLock { $0 > 0 } }

    /// Whether an instance has no room for a request, because too many are under way.
    func isFull(at place: Int) -> Bool { weather.strikes([.noRoom], at: place) != nil }

    /// A number that is drawn once in a run.
    func drawNumber() -> Int {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    /// Sends a request of an instance, whose life may have to end meanwhile.
    func send(
        _ wire: WireRequest,
        _ terms: SendTerms,
        of instance: String,
        dying die: () -> Void
    ) async -> SendResult {
        let base = String(wire.url.prefix(while: { $0 != "?" }).split(separator: "/").prefix(2).joined(separator: "//"))
        guard let line = lines[base] else { return .reply(WireReply(status: 404)) }
        open.withLock { $0 += 1 }
        defer { open.withLock { $0 -= 1 } }
        var (method, request) = Self.request(wire, base: base)
        let name = wire.canMoveMoney ? "\(request.path) \(String(decoding: request.body, as: UTF8.self))" : nil
        var fault = weather.strikes(Self.faults, at: line.place, isCounted: wire.canMoveMoney, name)
        if fault == .unsteady { fault = weather.pick(Self.ways) }
        if fault == .keysRefused { request = Self.withoutKeys(request, at: line.twin) }
        trace.tell("\(instance) asks \(line.twin): \(method) \(request.path)\(fault.map { ", \($0.rawValue)" } ?? "")")
        let result = await carry(method, request, to: line, fault, terms)
        if fault == .sendersDie { die() }
        trace.tell("\(instance) hears of \(line.twin): \(Self.text(result))")
        return result
    }

    /// What befalls requests.
    static let faults: [SimulationFault.Kind] = [
        .requestsLost, .repliesLost, .unreachable, .cutBefore, .cutAfter, .errorsBefore, .errorsAfter, .errorsUnheard,
        .garbled, .late, .slow, .keysRefused, .sendersDie, .unsteady,
    ]

    /// What becomes of a request at a PSP that is unsteady; most often nothing, or what leaves its sender in doubt.
    private static let ways: [(weight: Int, value: SimulationFault.Kind?)] = [
        (4, nil), (2, .requestsLost), (2, .cutBefore), (1, .errorsBefore), (1, .unreachable), (1, .late),
        (2, .repliesLost), (2, .cutAfter), (1, .errorsAfter), (1, .garbled), (1, .slow), (1, .keysRefused),
    ]

    /// A request of somebody whose keys the PSP does not know.
    private static func withoutKeys(_ request: PSPRequest, at twin: PSPTwin) -> PSPRequest {
        var request = request
        request.headers.removeAll { ["authorization", "x-api-key"].contains($0.name.lowercased()) }
        // Authorize.Net is told in the body who asks.
        if twin.dialect == .authorizeNet, let key = twin.credentials["transaction_key"] {
            let body = String(decoding: request.body, as: UTF8.self)
            request.body = Array(body.replacing(key, with: String(key.prefix(8)) + "_invalid").utf8)
        }
        return request
    }

    private func carry(
        _ method: String,
        _ request: PSPRequest,
        to line: Line,
        _ fault: SimulationFault.Kind?,
        _ terms: SendTerms
    ) async -> SendResult {
        await wait(milliseconds: weather.number(in: 1...120))
        let silence = terms.timeoutMilliseconds
        switch fault {
        case .unreachable: return .failure(reason: "no connection", mayHaveArrived: false)
        case .requestsLost: return await beSilent(silence)
        case .cutBefore: return .failure(reason: "cut", mayHaveArrived: true)
        case .errorsBefore: return .reply(Self.reply(line.simulator.serverError))
        case .late:
            open.withLock { $0 += 1 }
            clock.after(milliseconds: weather.number(in: 1...max(1, silence))) { [self] in
                Task {
                    trace.tell("a late request arrives at \(line.twin): \(method) \(request.path)")
                    _ = try? await line.simulator.answer(method, request)
                    open.withLock { $0 -= 1 }
                }
            }
            return await beSilent(silence)
        default: break
        }
        let delivery = fault == .errorsUnheard ? Delivery.errorAfter : nil
        let result = await answer(method, request, of: line, silence, as: delivery)
        switch fault {
        case .repliesLost, .errorsUnheard: return await beSilent(silence)
        case .cutAfter: return .failure(reason: "cut", mayHaveArrived: true)
        case .errorsAfter: return .reply(Self.reply(line.simulator.serverError))
        case .garbled:
            guard case .reply(var reply) = result else { return result }
            reply.body = Array(reply.body.prefix(reply.body.count / 2))
            return .reply(reply)
        case .slow: await wait(milliseconds: weather.number(in: 100...max(101, silence - 1000)))
        default: await wait(milliseconds: weather.pick([(6, 20), (3, 200), (1, 2500)]))
        }
        return result
    }

    /// What the PSP answers, and what becomes of its answer where a trigger says something.
    private func answer(
        _ method: String,
        _ request: PSPRequest,
        of line: Line,
        _ silence: Int64,
        as delivery: Delivery?
    ) async -> SendResult {
        guard let answer = try? await line.simulator.answer(method, request, as: delivery) else {
            return .reply(WireReply(status: 404))
        }
        switch answer.1 {
        case .answer(afterMilliseconds: let pause):
            if pause >= silence { return await beSilent(silence) }
            await wait(milliseconds: pause)
            return .reply(Self.reply(answer.0))
        case .twice: return .reply(Self.reply(answer.0))
        case .stall: return await beSilent(silence)
        case .close: return .failure(reason: "closed", mayHaveArrived: true)
        case .serverError: return .reply(Self.reply(line.simulator.serverError))
        case .truncate:
            var reply = Self.reply(answer.0)
            reply.body = Array(reply.body.prefix(reply.body.count / 2))
            return .reply(reply)
        }
    }

    /// What a caller gets who waits for a reply that does not come.
    private func beSilent(_ milliseconds: Int64) async -> SendResult {
        await wait(milliseconds: milliseconds)
        return .failure(reason: "timeout", mayHaveArrived: true)
    }

    private func wait(milliseconds: Int64) async {
        if milliseconds > 0 { try? await clock.sleep(until: clock.now.adding(milliseconds: milliseconds)) }
    }

    private static func text(_ result: SendResult) -> String {
        switch result {
        case .reply(let reply): "\(reply.status)"
        case .failure(let reason, let mayHaveArrived): "\(reason)\(mayHaveArrived ? "" : ", nothing left")"
        case .held(let reason): reason
        }
    }

    private static func reply(_ reply: PSPReply) -> WireReply {
        let headers = [Header("Content-Type", reply.contentType)] + reply.headers.map { Header($0.name, $0.value) }
        return WireReply(status: reply.status, headers: headers, body: reply.body)
    }

    /// The request as the PSP reads it: the path without the base, the query decoded.
    private static func request(_ wire: WireRequest, base: String) -> (method: String, PSPRequest) {
        let parts = wire.url.dropFirst(base.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var request = PSPRequest(path: String(parts.first ?? ""), origin: base)
        request.headers = wire.headers.map { ($0.name, $0.value) }
        request.body = wire.body
        for field in (parts.dropFirst().first ?? "").split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(decoded)
            request.query.append((name: pair[0], value: pair.count > 1 ? pair[1] : ""))
        }
        return (wire.method.rawValue, request)
    }

    private static func decoded(_ text: Substring) -> String {
        PercentEncoding.decode(text.utf8, plusIsSpace: true).map { String(decoding: $0, as: UTF8.self) } ?? String(text)
    }
}

/// One instance's way to the PSPs, which ends with its life.
struct InstanceLine: Sender {
    let network: SimulatedNetwork
    let life: SimulatedLife
    let name: String
    let place: Int

    func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
        guard await life.pass() else { return .failure(reason: "ended", mayHaveArrived: true) }
        if network.isFull(at: place) { return .held(reason: "no room") }
        let sent = PlantedBug.drawnKeys.isPlanted ? drawingKey(of: request) : request
        let result = await network.send(sent, terms, of: name) { life.die() }
        guard await life.pass() else { return .failure(reason: "ended", mayHaveArrived: true) }
        if PlantedBug.falseSafety.isPlanted, case .failure(let reason, _) = result {
            return .failure(reason: reason, mayHaveArrived: false)
        }
        return result
    }

    /// A request under a key that nobody sends twice.
    private func drawingKey(of request: WireRequest) -> WireRequest {
        var request = request
        for index in request.headers.indices
        where request.headers[index].name.lowercased().hasSuffix("idempotency-key") {
            let key = request.headers[index].value
            request.headers[index].value = "drawn-\(network.drawNumber())-" + key.suffix(20)
        }
        return request
    }
}
