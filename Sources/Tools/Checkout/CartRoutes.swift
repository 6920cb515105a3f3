import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// `/api/cart`: what the shop's pages ask of its server.
///
/// A cart is known by a cookie that scripts cannot read. Bodies are JSON, which no other site's page can send here
/// without being asked first (CORS), and the cookie comes with no other site's request but a visit.
struct CartRoutes: Sendable {
    private static let cookie = "tributary_cart"
    private static let bodyLimit = 65_536

    let checkout: ShopCheckout
    /// Whether buyers come by https, so that the cookie goes no other way.
    let isSecure: Bool

    func add(to router: Router<BasicRequestContext>) {
        router.get("/api/cart") { request, _ in
            await answering { () throws(ShopRefusal) in try await show(request) }
        }
        router.get("/api/cart/order") { request, _ in
            await answering { () throws(ShopRefusal) in
                guard let id = await knownCart(request) else { return Self.response(.null) }
                return Self.response(try await checkout.order(id))
            }
        }
        add("/api/cart/order", to: router) { body, id throws(ShopRefusal) in try await checkout.place(body, for: id) }
        add("/api/cart/payment-request", to: router) { _, id throws(ShopRefusal) in
            try await checkout.preparePayment(for: id)
        }
        add("/api/cart/apple-pay-session", to: router) { body, _ throws(ShopRefusal) in
            try await checkout.startSession(body)
        }
        add("/api/cart/returned", to: router) { body, id throws(ShopRefusal) in
            try await checkout.comeBack(body, for: id)
            return [:]
        }
        router.post("/api/cart/fresh") { request, _ in
            await answering { () throws(ShopRefusal) in
                _ = try await Self.json(of: request)
                return Self.response([:], cookie: cookie(await checkout.carts.make()))
            }
        }
    }

    /// The cart of whoever asks, a new one for who has none.
    private func show(_ request: Request) async throws(ShopRefusal) -> Response {
        if let id = await knownCart(request) { return Self.response(try await checkout.cart(id)) }
        let id = await checkout.carts.make()
        return Self.response(try await checkout.cart(id), cookie: cookie(id))
    }

    private func add(
        _ path: RouterPath,
        to router: Router<BasicRequestContext>,
        _ body: @escaping @Sendable (JSON, String) async throws(ShopRefusal) -> JSON
    ) {
        router.post(path) { request, _ in
            await answering { () throws(ShopRefusal) in
                let json = try await Self.json(of: request)
                guard let id = await knownCart(request) else { throw .noCart }
                return Self.response(try await body(json, id))
            }
        }
    }

    private func answering(_ body: () async throws(ShopRefusal) -> Response) async -> Response {
        do throws(ShopRefusal) {
            return try await body()
        } catch {
            return Self.response(error.json, status: .init(code: error.status))
        }
    }

    private static func json(of request: Request) async throws(ShopRefusal) -> JSON {
        guard request.headers[.contentType]?.hasPrefix("application/json") ?? false,
            let buffer = try? await request.body.collect(upTo: bodyLimit),
            let json = try? JSON.parse(Array(buffer.readableBytesView), depthLimit: 16)
        else { throw .unreadable }
        return json
    }

    private func knownCart(_ request: Request) async -> String? {
        let pairs = (request.headers[.cookie] ?? "").split(separator: ";")
        for pair in pairs {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == Self.cookie else { continue }
            let id = String(parts[1])
            if await checkout.carts.has(id) { return id }
        }
        return nil
    }

    private func cookie(_ id: String) -> String {
        "\(Self.cookie)=\(id); Path=/; Max-Age=86400; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    private static func response(
        _ json: JSON,
        status: HTTPResponse.Status = .ok,
        cookie: String? = nil
    ) -> Response {
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        headers[.xContentTypeOptions] = "nosniff"
        if let cookie { headers[.setCookie] = cookie }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }
}
