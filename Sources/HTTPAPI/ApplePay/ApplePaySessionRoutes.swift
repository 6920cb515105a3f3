import Domain
import Gateway
import Hummingbird
import Storage
import StrictJSON

/// `/v1/apple-pay/sessions`, and the file by which Apple knows the domain.
struct ApplePaySessionRoutes: Sendable {
    let sessions: ApplePaySessions
    let door: Door
    let pages: PageRequests
    let authenticator: Authenticator
    let body: RequestBody

    func add(to router: Router<APIContext>) {
        router.post("/v1/apple-pay/sessions") { request, context in try await start(request, context) }
        router.get("/.well-known/apple-developer-merchantid-domain-association") { _, _ in try await association() }
    }

    private func start(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await door.enter()
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .publishable)
        try pages.requireListedOrigin(of: request, by: principal)
        _ = try Query(of: request, allowing: [])
        visit.leave()
        let json = try await body.json(of: request)
        let asked = try Problem.reading { () throws(InvalidDocument) in
            try json.read(refusingNull: true) { Self.request($0) }
        }
        let session = try await pages.counting(principal) {
            try await visit.reenter()
            defer { visit.leave() }
            return try await sessions.start(asked, of: principal.marketplace, on: visit)
        }
        return .json(session)
    }

    private static func request(_ body: ObjectReader) -> ApplePaySessions.Request? {
        let domain = body.parsed("domain", expecting: "the page's full domain name, without scheme or path") {
            DomainName.isValid($0) ? $0 : nil
        }
        let name = body.string("display_name", .optional, length: 1...64, by: TextRule.freeText.accept)
        let merchant = body.string("external_identifier", .optional, length: 1...128, by: TextRule.identifier.accept)
        _ = body.parsed("validation_url", .optional, expecting: "an https address at one of Apple's gateway hosts") {
            AppleGatewayHost.isAllowed($0) ? $0 : nil
        }
        return domain.map {
            ApplePaySessions.Request(domain: $0, displayName: name, externalIdentifier: merchant)
        }
    }

    private func association() async throws -> Response {
        guard let bytes = try await sessions.domainAssociation() else { throw Problem.notFound }
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

/// The hosts that Apple's validation addresses may name.
///
/// The address itself is never called; a page that sends another one is broken or hostile. Source: Apple, "Setting Up
/// Your Server" (2026-07), and the pod names that Apple's devices send.
enum AppleGatewayHost {
    /// Whether an address is https at one of the hosts, on the usual port and without a user.
    static func isAllowed(_ url: String) -> Bool {
        guard url.hasPrefix("https://") else { return false }
        let rest = url.dropFirst("https://".count)
        let authority = String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        return all.contains(authority) && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }
    }

    private static let all: Set<String> = {
        let plain = ["", "-cert"].flatMap { ["apple-pay-gateway\($0)", "cn-apple-pay-gateway\($0)"] }
        let global = ["nc", "pr"].flatMap { site in (1...5).map { "apple-pay-gateway-\(site)-pod\($0)" } }
        let china = ["sh", "tj"].flatMap { site in (1...3).map { "cn-apple-pay-gateway-\(site)-pod\($0)" } }
        return Set((plain + global + china).map { $0 + ".apple.com" })
    }()
}
