import AdapterKit
import Domain
import Gateway
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Reading an order's buyer, statement and items")
struct BuyerReaderTests {
    static let buyer: JSON = [
        "name": "Anna Maria Kvist", "email": "anna.kvist@shop.example", "phone": "+4915112345678",
        "ip": "2001:db8::7", "country": "DE", "reference": "shopper-77",
        "billing_address": [
            "line1": "Hafenstraße 4", "line2": "Hinterhaus", "city": "Hamburg", "state": "HH",
            "postal_code": "20459", "country": "DE",
        ],
        "shipping_address": [
            "name": "Bo Kvist", "line1": "Storgatan 9", "city": "Malmö", "postal_code": "21142", "country": "SE",
        ],
        "browser": [
            "accept_header": "text/html,*/*;q=0.8", "user_agent": "Mozilla/5.0 (X11; Linux)", "language": "de-DE",
            "color_depth": 24, "screen_height": 1080, "screen_width": 1920, "time_zone_offset": -120,
            "java_enabled": false, "javascript_enabled": true,
        ],
    ]

    private static let items: JSON = [
        ["name": "Seat", "quantity": 2, "unit_amount": 10_000, "tax_amount": 1900, "product_code": "SEAT-1"],
        ["name": "Meal", "quantity": 1, "unit_amount": 8100, "commodity_code": "90101500"],
    ]

    private func draft(_ body: JSON) throws -> OrderDraft { try OrderDraftReader(limits: APILimits()).draft(body) }

    @Test("takes every field there is")
    func everything() throws {
        let body = OrderBody.trip.with("buyer", Self.buyer).with("contexts/0/line_items", Self.items)
            .with("contexts/0/statement_descriptor", "AIRLINE 77")
        let draft = try draft(body)
        let buyer = try #require(draft.buyer)
        #expect(
            (buyer.name, buyer.email, buyer.phone) == ("Anna Maria Kvist", "anna.kvist@shop.example", "+4915112345678")
        )
        #expect((buyer.ip, buyer.country, buyer.reference) == ("2001:db8::7", "DE", "shopper-77"))
        let billing = PostalAddress(
            line1: "Hafenstraße 4",
            line2: "Hinterhaus",
            city: "Hamburg",
            state: "HH",
            postalCode: "20459",
            country: "DE"
        )
        #expect(buyer.billingAddress == billing)
        let shipping = PostalAddress(
            name: "Bo Kvist",
            line1: "Storgatan 9",
            city: "Malmö",
            postalCode: "21142",
            country: "SE"
        )
        #expect(buyer.shippingAddress == shipping)
        var browser = BrowserDetails()
        (browser.acceptHeader, browser.userAgent) = ("text/html,*/*;q=0.8", "Mozilla/5.0 (X11; Linux)")
        (browser.language, browser.colorDepth, browser.timeZoneOffset) = ("de-DE", 24, -120)
        (browser.screenHeight, browser.screenWidth) = (1080, 1920)
        (browser.isJavaEnabled, browser.isJavaScriptEnabled) = (false, true)
        #expect(buyer.browser == browser)
        let airline = try #require(draft.contexts.first)
        #expect(airline.statementDescriptor == "AIRLINE 77")
        #expect(airline.lineItems.map(\.total) == [21_900, 8100])
        #expect(airline.lineItems.map(\.productCode) == ["SEAT-1", nil])
        #expect(airline.lineItems.map(\.commodityCode) == [nil, "90101500"])
        #expect(draft.contexts[1].lineItems.isEmpty && draft.contexts[1].statementDescriptor == nil)
        for text in ["Kvist", "Hafen", "Mozilla", "4915112345678", "Seat"] { #expect(!"\(draft)".contains(text)) }
    }

    @Test("takes what there was before, and nothing at all")
    func little() throws {
        let before: JSON = ["ip": "203.0.113.7", "email": "a@b", "country": "US"]
        let buyer = try #require(try draft(OrderBody.trip.with("buyer", before)).buyer)
        #expect((buyer.ip, buyer.email, buyer.country) == ("203.0.113.7", "a@b", "US"))
        #expect(buyer.name == nil && buyer.billingAddress == nil && buyer.browser == nil)
        #expect(try draft(OrderBody.trip).buyer == nil)
        #expect(try draft(OrderBody.trip.with("buyer", .object([]))).buyer == nil)
    }

    @Test("takes items that come to less than the context, or to exactly as much", arguments: [1, 30_000] as [Int64])
    func sums(_ amount: Int64) throws {
        let items: JSON = [["name": "Seat", "quantity": 1, "unit_amount": .integer(amount)]]
        #expect(try draft(OrderBody.trip.with("contexts/0/line_items", items)).contexts[0].lineItems.count == 1)
    }

    @Test(
        "refuses what breaks a rule, with its place and code and never the value",
        arguments: [
            ("buyer/name", "", "empty"), ("buyer/name", .string(String(repeating: "x", count: 101)), "too_long"),
            ("buyer/name", "a\u{202e}b", "invalid_character"), ("buyer/email", "kvist", "not_allowed"),
            ("buyer/phone", "015112345678", "not_allowed"), ("buyer/phone", "+0151123456", "not_allowed"),
            ("buyer/phone", "+4915112345678901", "not_allowed"), ("buyer/phone", "+49 151 1234567", "not_allowed"),
            ("buyer/ip", "2001:db8::zz", "not_allowed"), ("buyer/country", "DEU", "not_allowed"),
            ("buyer/reference", "größe", "invalid_character"), ("buyer/nickname", "Anna", "unknown_field"),
            ("buyer/billing_address/country", nil, "missing_field"),
            ("buyer/billing_address/country", "XX", "not_allowed"),
            ("buyer/billing_address/name", "Anna", "unknown_field"),
            ("buyer/billing_address/line1", .string(String(repeating: "x", count: 201)), "too_long"),
            ("buyer/shipping_address/postal_code", .string(String(repeating: "1", count: 21)), "too_long"),
            ("buyer/shipping_address/zip", "1", "unknown_field"), ("buyer/shipping_address", .null, "wrong_type"),
            ("buyer/browser/color_depth", 23, "not_allowed"), ("buyer/browser/color_depth", 64, "out_of_range"),
            ("buyer/browser/time_zone_offset", 841, "out_of_range"),
            ("buyer/browser/screen_width", "1920", "wrong_type"), ("buyer/browser/language", "de_DE", "not_allowed"),
            ("buyer/browser/user_agent", "a\u{7}b", "invalid_character"),
            ("buyer/browser/java_enabled", "no", "wrong_type"), ("buyer/browser/ip", "::1", "unknown_field"),
            ("contexts/0/statement_descriptor", .string(String(repeating: "x", count: 23)), "too_long"),
            ("contexts/0/statement_descriptor", "Büro", "invalid_character"),
            ("contexts/0/statement_descriptor", "2026-11 *", "not_allowed"), ("contexts/0/line_items", [], "empty"),
            ("contexts/0/line_items/0/quantity", 0, "out_of_range"),
            ("contexts/0/line_items/0/unit_amount", nil, "missing_field"),
            ("contexts/0/line_items/0/tax_amount", -1, "out_of_range"),
            ("contexts/0/line_items/0/price", 1, "unknown_field"),
        ] as [(String, JSON?, String)]
    )
    func refusals(_ path: String, _ value: JSON?, _ code: String) throws {
        let whole = OrderBody.trip.with("buyer", Self.buyer).with("contexts/0/line_items", Self.items)
        let refusal = try #require(throws: InvalidDocument.self) { try draft(whole.with(path, value)) }
        #expect(refusal.violations.map { "\($0.pointer) \($0.code)" } == ["/\(path) \(code)"])
        if let text = value?.stringValue, text.utf8.count > 2 {
            #expect(!refusal.violations.contains { $0.detail.contains(text) })
        }
    }

    @Test(
        "refuses items that come to more than the context, taxes included",
        arguments: [
            (30_000, 1, "line_items_exceed_amount"), (30_001, nil, "line_items_exceed_amount"),
            (Int64.max, 1, "amount_overflow"), (Int64.max / 2 + 1, nil, "amount_overflow"),
        ] as [(Int64, Int64?, String)]
    )
    func excess(_ amount: Int64, _ tax: Int64?, _ code: String) throws {
        let quantity: Int64 = code == "amount_overflow" ? 2 : 1
        let item = JSON.object(omittingAbsent: [
            "name": "Seat", "quantity": .integer(quantity), "unit_amount": .integer(amount),
            "tax_amount": tax.map(JSON.integer),
        ])
        let refusal = try #require(throws: InvalidDocument.self) {
            try draft(OrderBody.trip.with("contexts/0/line_items", [item]))
        }
        #expect(refusal.violations.map { "\($0.pointer) \($0.code)" } == ["/contexts/0/line_items \(code)"])
    }
}

@Suite("An order's buyer", .timeLimit(.minutes(10)))
struct BuyerShownTests {
    @Test("is in no answer, and part of what its key stands for", arguments: DatabaseEngine.allCases)
    func answers(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        let items: JSON = [["name": "Window seat", "quantity": 1, "unit_amount": 30_000]]
        let body = OrderBody.trip.with("buyer", BuyerReaderTests.buyer).with("contexts/0/line_items", items)
            .with("contexts/0/statement_descriptor", "AIRLINE 77")
        #expect(contract.complaints(aboutBody: body, of: "POST /v1/orders").isEmpty)
        try await APIHarness.with(engine) { api in
            let checkout = try await api.client("checkout")
            let placed = try await checkout.post("/v1/orders", body, key: "k")
            #expect(placed.status == 201, "\(placed)")
            let id = try #require(placed.json["id"]?.stringValue)
            let operations = try await api.client("operator")
            var shown = placed.json.text
            for path in ["/v1/orders/\(id)", "/v1/orders/\(id)/events", "/v1/payments", "/v1/events", "/v1/callbacks"] {
                shown += try await operations.get(path).json.text
            }
            for text in ["Kvist", "kvist", "Hafenstra", "Storgatan", "Mozilla", "15112345678", "shopper-77", "Window"] {
                #expect(!shown.contains(text), "\(text)")
            }
            let again = try await checkout.post("/v1/orders", body, key: "k")
            #expect(again.header("Idempotent-Replayed") == "true")
            let other = try await checkout.post("/v1/orders", body.with("buyer/phone", "+4915112345679"), key: "k")
            #expect(other.code == "idempotency_key_reused")
            let item = body.with("contexts/0/line_items/0/name", "Aisle seat")
            #expect(try await checkout.post("/v1/orders", item, key: "k").code == "idempotency_key_reused")
        }
    }
}
