import HTTPTypes
import Hummingbird
import NIOCore

/// The shop's pages: plain files, no script but its own, and nothing that another site could frame.
struct PageRoutes: Sendable {
    private let policy: String

    /// Describes them.
    ///
    /// - Parameter gateway: the address besides the shop's that pages may call; nil for none.
    init(pageCallsTo gateway: String?) {
        let others = gateway.map { " " + $0 } ?? ""
        policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'" + others,
            "img-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ].joined(separator: "; ")
    }

    func add(to router: Router<BasicRequestContext>) {
        add("/", PackageResources.index_html, "text/html", to: router)
        add("/result", PackageResources.result_html, "text/html", to: router)
        add("/style.css", PackageResources.style_css, "text/css", to: router)
        add("/shop.js", PackageResources.shop_js, "text/javascript", to: router)
        add("/checkout.js", PackageResources.checkout_js, "text/javascript", to: router)
        add("/wallet.js", PackageResources.wallet_js, "text/javascript", to: router)
        add("/result.js", PackageResources.result_js, "text/javascript", to: router)
        router.get("/favicon.ico") { _, _ in Response(status: .noContent) }
    }

    private func add(_ path: RouterPath, _ bytes: [UInt8], _ type: String, to router: Router<BasicRequestContext>) {
        var headers: HTTPFields = [.contentType: type + "; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = policy
        headers[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        let (fields, body) = (headers, ByteBuffer(bytes: bytes))
        router.get(path) { _, _ in Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body)) }
    }
}
