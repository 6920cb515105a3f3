import Checkout
import Domain
import HTTPTransport
import Logging
import StrictJSON
import Testing
import TributaryClient
import TributaryTestKit

@Suite("A shop's cart", .timeLimit(.minutes(10)))
struct CartTests {
    private static let order = """
        {"id":"ord_1","status":"paid","decision":"accepted","currency":"USD","amount":30000,"captured_amount":30000,
        "payments":[{"id":"pay_1","external_identifier":"airline-1","status":"captured","amount":30000}]}
        """

    private static func reply(_ status: String, _ body: String) -> [ServerStep] {
        let head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        return [.readRequest, .write(head + body)]
    }

    /// Lends a buyer at a shop whose gateway treats its n-th connection by the n-th script, and answers what the gateway
    /// was asked.
    private static func with(
        _ scripts: [[ServerStep]],
        _ body: (Buyer) async throws -> Void
    ) async throws -> [ReceivedRequest] {
        let gateway = try ScriptedServer { number in scripts[min(number, scripts.count - 1)] }
        return try await withServer(gateway) { gateway in
            let transport = HTTPTransport()
            let url = "http://127.0.0.1:\(gateway.port)"
            let client = TributaryClient(
                baseURL: url,
                key: "tk_test",
                settings: .init(repeats: 0),
                transport: transport
            )
            let settings = ShopSettings(
                gatewayURL: url,
                apiKey: Secret("tk_test"),
                items: [
                    .init(
                        merchant: "airline-1",
                        merchantName: "Skyways",
                        name: "Flight",
                        amount: 30_000,
                        pspAccount: "sim"
                    )
                ]
            )
            let quiet = Logger(label: "shop") { _ in SwiftLogNoOpLogHandler() }
            let shop = try await ShopServer(settings, client: client, logger: quiet).start()
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(try await Buyer(at: shop.url, transport)))
            } catch {
                result = .failure(error)
            }
            await shop.stop()
            await client.close()
            try result.get()
            return gateway.requests
        }
    }

    @Test("keeps its order and key where a request gets lost and its repeat is not let in, and says so")
    func doubt() async throws {
        let requests = try await Self.with([
            [.readRequest], Self.reply("401 Unauthorized", #"{"code":"invalid_api_key","detail":"Wrong."}"#),
            Self.reply("201 Created", Self.order),
        ]) { buyer in
            for _ in 0..<2 {
                let unknown = try await buyer.pay("approved")
                #expect(unknown.status == 503)
                #expect(unknown.json["code"] == "no_answer")
            }
            // Another card does not make another order of what may be one.
            let paid = try await buyer.pay("late")
            #expect(paid.status == 200)
            #expect(paid.json["id"] == "ord_1")
        }
        #expect(requests.count == 3)
        #expect(Set(requests.map { $0.header("Idempotency-Key") }).count == 1)
        #expect(Set(requests.map(\.body)).count == 1)
    }

    @Test("takes another card once what was asked is refused for certain", arguments: ["409 No", "422 No"])
    func refusal(_ status: String) async throws {
        let requests = try await Self.with([
            [.readRequest], Self.reply(status, #"{"code":"merchant_paused","detail":"Paused."}"#),
            Self.reply("201 Created", Self.order),
        ]) { buyer in
            #expect(try await buyer.pay("approved").status == 503)
            let refused = try await buyer.pay("approved")
            #expect(refused.status == 422)
            #expect(refused.json["code"] == "merchant_paused")
            #expect(try await buyer.pay("late").status == 200)
        }
        #expect(Set(requests.map(\.body)).count == 2)
    }

    @Test(
        "shows the order that its key or its reference stands for",
        arguments: [("422 No", "idempotency_key_reused"), ("409 No", "reference_in_use")]
    )
    func known(_ status: String, _ code: String) async throws {
        let requests = try await Self.with([
            Self.reply(status, #"{"code":"\#(code)","detail":"Known.","order":"ord_1"}"#),
            Self.reply("200 OK", Self.order),
        ]) { buyer in
            let shown = try await buyer.pay("approved")
            #expect(shown.status == 200)
            #expect(shown.json["id"] == "ord_1")
        }
        #expect(requests.map(\.line).last == "GET /v1/orders/ord_1 HTTP/1.1")
    }

    @Test("is known to its buyer alone: its orders' references and keys say nothing of its cookie, or of one another")
    func reference() async throws {
        var cart = ""
        let requests = try await Self.with([Self.reply("201 Created", Self.order)]) { buyer in
            cart = buyer.cookie.split(separator: "=").last.map(String.init) ?? ""
            let paid = try await buyer.pay("approved")
            #expect(paid.status == 200)
        }
        let request = try #require(requests.first)
        let reference = try #require(try JSON.parse(request.body)["reference"]?.stringValue)
        let key = try #require(request.header("Idempotency-Key"))
        #expect(cart.count == 32)
        for part in stride(from: 0, through: 24, by: 8) {
            let start = cart.index(cart.startIndex, offsetBy: part)
            let piece = cart[start..<cart.index(start, offsetBy: 8)]
            #expect(!reference.contains(piece) && !key.contains(piece))
        }
        #expect(reference.hasPrefix("cart-") && !reference.contains(key))
    }
}

/// A browser that asks a shop what its pages ask.
private struct Buyer {
    /// The cart's cookie, `name=value`.
    let cookie: String
    private let url: String
    private let transport: HTTPTransport

    /// Comes to a shop, and gets a cart.
    init(at url: String, _ transport: HTTPTransport) async throws {
        self.url = url
        self.transport = transport
        let reply = try await Self.send(HTTPRequest(.get, url + "/api/cart"), over: transport)
        cookie = String(try #require(reply.header("Set-Cookie")).prefix { $0 != ";" })
    }

    /// Pays the cart with a card.
    func pay(_ card: String) async throws -> (status: Int, json: JSON) {
        let body: JSON = [
            "attempt": 1, "policy": "all_or_nothing",
            "payment": ["type": "cards", "cards": ["airline-1": .string(card)]],
        ]
        let headers = [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Cookie", cookie)]
        let request = HTTPRequest(.post, url + "/api/cart/order", headers: headers, body: body.bytes)
        let reply = try await Self.send(request, over: transport)
        return (reply.status, try JSON.parse(reply.body))
    }

    private static func send(_ request: HTTPRequest, over transport: HTTPTransport) async throws -> HTTPReply {
        var request = request
        request.allowPlainHTTPToLoopback = true
        switch await transport.send(request) {
        case .reply(let reply): return reply
        case .failure(let failure): throw failure
        }
    }
}
