import AdapterKit
package import Domain
import Foundation
package import Gateway
import HTTPTransport
package import StrictJSON
import Synchronization
import Wiring

/// Apple's Merchant Token Management API on this machine, over TLS that demands a client certificate of its authority.
///
/// An event is handed out as often as it is asked for.
package final class MerchantTokenTwin: Sendable {
    /// What a gateway shows to it.
    package enum Identity: Sendable, CaseIterable {
        /// The merchant's certificate.
        case merchant
        /// A certificate of another authority.
        case foreign
        /// None.
        case missing
    }

    /// What it has, and what it was asked.
    package let book = MerchantTokenBook()
    private let server: TLSServer
    private let authority: TestAuthority
    private let stranger: TestAuthority
    private let transport = HTTPTransport()
    private let own: (certificate: String, key: String)
    private let foreign: (certificate: String, key: String)

    /// Starts it.
    package init() throws {
        (authority, stranger) = (try TestAuthority(), try TestAuthority())
        (own, foreign) = (try authority.issue(.client), try stranger.issue(.client))
        server = try TLSServer(
            authority.issue(.localhost),
            options: ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate]
        ) { [book] transcript in book.replies(to: transcript) }
    }

    /// Everything that was said to it, with the remarks of the program that listens.
    package var transcript: String { server.transcript }

    /// Stops it.
    package func stop() async {
        server.stop()
        await transport.stop()
    }

    /// What a marketplace declares that has it for Apple.
    package func access(showing identity: Identity = .merchant) -> WalletAccess.ApplePay {
        let shown = identity == .foreign ? foreign : own
        return WalletAccess.ApplePay(
            identity: .init(certificate: "file:\(shown.certificate)", key: "file:\(shown.key)"),
            environment: .any,
            sessionURL: "https://localhost:\(server.port)/paymentservices/paymentSession",
            sessionAuthorities: "file:\(authority.certificate)"
        )
    }

    /// The ports of an instance.
    ///
    /// - Parameters:
    ///   - identity: what it shows.
    ///   - life: how long it lives; for ever if nil.
    ///   - files: what stands behind other references.
    /// - Returns: the ports.
    package func ports(
        showing identity: Identity = .merchant,
        life: InstanceLife? = nil,
        files: [String: [UInt8]] = [:]
    ) -> WalletPorts {
        let sender = CurlSender(transport)
        return WalletPorts(
            read: { reference in
                try files[reference] ?? Array(Data(contentsOf: URL(filePath: String(reference.dropFirst(5)))))
            },
            askApple: { [transport] request, shown, timeout in
                let number = await life?.beginCall()
                let result =
                    if identity == .missing {
                        await Self.ask(request, shown.authorities, over: transport)
                    } else {
                        await sender.askApple(request, as: shown, timeoutMilliseconds: timeout)
                    }
                if let number { await life?.endCall(number) }
                return result
            }
        )
    }

    private static func ask(
        _ request: WireRequest,
        _ authorities: [UInt8]?,
        over transport: HTTPTransport
    ) async -> SendResult {
        var outgoing = HTTPRequest(.get, request.url, headers: [], body: request.body)
        outgoing.trustedAuthorities = authorities.map(PEM.bytes)
        switch await transport.send(outgoing) {
        case .reply(let reply): return .reply(WireReply(status: reply.status, headers: [], body: reply.body))
        case .failure(let failure):
            return .failure(reason: failure.reason.rawValue, mayHaveArrived: failure.mayHaveArrived)
        }
    }
}

/// What a twin of Apple's Merchant Token Management API has, and what it was asked.
package final class MerchantTokenBook: Sendable {
    private struct State {
        var events: [String: JSON] = [:]
        var statuses: [String: [Int]] = [:]
        var merchants: [String] = []
        var fetched: [String] = []
        var unlinked: [String] = []
        var answered = 0
    }

    private let state = Mutex(State())

    /// Has an event.
    package func put(_ event: String, _ body: JSON) { state.withLock { $0.events[event] = body } }

    /// Answers the next questions for an event, or the next calls to unlink a token, with these statuses first.
    package func script(_ name: String, _ statuses: Int...) {
        state.withLock { $0.statuses[name, default: []] += statuses }
    }

    /// The events that were asked for, in their order.
    package var fetched: [String] { state.withLock(\.fetched) }
    /// The tokens that it was asked to unlink, in their order.
    package var unlinked: [String] { state.withLock(\.unlinked) }
    /// The merchants that questions named, each once.
    package var merchants: Set<String> { state.withLock { Set($0.merchants) } }

    private static let root = " /paymentservices/v1/merchantId/"

    /// The answers to what is whole of what was said and is not answered yet.
    func replies(to transcript: String) -> [[UInt8]] {
        let requests = transcript.components(separatedBy: "HTTP/1.1\r\n")
        return state.withLock { state in
            var replies: [[UInt8]] = []
            while state.answered + 1 < requests.count {
                guard let line = requests[state.answered].split(separator: "\n").last.map(String.init),
                    let reply = answer(to: line, requests[state.answered + 1], &state)
                else { break }
                state.answered += 1
                replies.append(reply)
            }
            return replies
        }
    }

    /// The answer to a request whose first line is that, without the protocol; nil if it is not whole yet.
    private func answer(to line: String, _ rest: String, _ state: inout State) -> [UInt8]? {
        guard let end = rest.range(of: "\r\n\r\n"), rest.contains("x-request-id: ") else { return nil }
        let parts = line.components(separatedBy: Self.root).last?.split(separator: "/").map { part in
            part.trimmingCharacters(in: .whitespaces)
        }
        guard let parts, parts.count >= 3, parts[1] == "merchantToken" else { return Self.text(404, nil) }
        if parts[2] == "unlink" {
            let body = rest[end.upperBound...]
            guard let close = body.range(of: "}"),
                let token = try? JSON.parse(text: String(body[..<close.upperBound]))["merchantTokenIdentifier"]
            else { return nil }
            return unlink(token.stringValue ?? "", of: parts[0], &state)
        }
        guard parts.count == 4, parts[2] == "event" else { return Self.text(404, nil) }
        state.merchants.append(parts[0])
        state.fetched.append(parts[3])
        if let status = next(parts[3], &state) { return Self.text(status, Self.error(status)) }
        guard let event = state.events[parts[3]] else { return Self.text(400, Self.error(400)) }
        return Self.text(200, event)
    }

    private func unlink(_ token: String, of merchant: String, _ state: inout State) -> [UInt8] {
        state.merchants.append(merchant)
        state.unlinked.append(token)
        if let status = next(token, &state) { return Self.text(status, Self.error(status)) }
        return Self.text(204, nil)
    }

    private func next(_ name: String, _ state: inout State) -> Int? {
        guard var statuses = state.statuses[name], !statuses.isEmpty else { return nil }
        defer { state.statuses[name] = statuses }
        return statuses.removeFirst()
    }

    private static func error(_ status: Int) -> JSON {
        ["statusCode": .integer(Int64(status)), "subStatusCode": 0, "statusMessage": "refused by the twin"]
    }

    private static func text(_ status: Int, _ body: JSON?) -> [UInt8] {
        let bytes = body?.bytes ?? []
        let length = status == 204 ? "" : "Content-Length: \(bytes.count)\r\n"
        return Array("HTTP/1.1 \(status) Answer\r\n\(length)Connection: close\r\n\r\n".utf8) + bytes
    }
}
