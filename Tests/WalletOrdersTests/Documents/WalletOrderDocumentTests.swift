import Domain
import StrictJSON
import Testing

@testable import WalletOrders

@Suite("The document of a Wallet order")
struct WalletOrderDocumentTests {
    @Test("It says everything that it was told, in Apple's words")
    func full() throws {
        let order = try WalletOrderDocument(TestOrder.full()).document
        let expected = try JSON.parse(text: Self.fullOrder)
        for member in try #require(expected.objectValue) { #expect(order[member.key] == member.value, "\(member.key)") }
        #expect(order.objectValue?.count == expected.objectValue?.count)
    }

    @Test("The same input makes the same bytes")
    func deterministic() throws {
        let input = try TestOrder.full()
        #expect(try WalletOrderDocument(input).json == WalletOrderDocument(input).json)
    }

    @Test("Of one payment alone there are no summary lines, and what is absent is left out")
    func smallest() throws {
        let order = try TestOrder.order(.accepted, [TestOrder.payment(0, .captured(10_000))])
        var texts = TestOrder.texts
        (texts.logo, texts.url) = (nil, nil)
        let document = try WalletOrderDocument(TestOrder.input(order, texts: texts)).document
        #expect(document["payment"]?["summaryItems"] == nil)
        #expect(document["merchant"]?["url"]?.stringValue == texts.orderManagementURL)
        for key in ["lineItems", "fulfillments", "returns", "customer", "orderProvider", "statusDescription"] {
            #expect(document[key] == nil)
        }
        #expect(document["orderNumber"] == "cart-1")
    }

    @Test("Amounts are decimal strings with as many digits as the currency has", arguments: Currency.all)
    func amounts(currency: Currency) throws {
        let order = try TestOrder.order(
            .accepted,
            [TestOrder.payment(0, .captured(10_000), refunds: [7])],
            currency: currency.code
        )
        let document = try WalletOrderDocument(TestOrder.input(order)).document
        let payment = try #require(document["payment"])
        let (total, refund) =
            switch currency.exponent {
            case 0: ("10000", "7")
            case 2: ("100.00", "0.07")
            case 3: ("10.000", "0.007")
            default: ("1.0000", "0.0007")
            }
        #expect(payment["total"] == ["amount": .string(total), "currency": .string(currency.code)])
        #expect(payment["transactions"]?[0]?["amount"]?["amount"]?.stringValue == total)
        #expect(payment["transactions"]?[1]?["amount"]?["amount"]?.stringValue == refund)
        #expect(payment["transactions"]?[1]?["transactionType"] == "refund")
    }

    @Test("Every status of a shipping is written as the schema has it", arguments: WalletShipping.Status.allCases)
    func shipping(status: WalletShipping.Status) throws {
        let details = WalletFulfillment.Details.shipping(WalletShipping(status: status, kind: .delivery))
        let fulfillment = try document(fulfillments: [.init(externalIdentifier: "f", details: details)])
        #expect(fulfillment["fulfillments"]?[0]?["status"]?.stringValue == status.rawValue)
        #expect(fulfillment["fulfillments"]?[0]?["shippingType"] == "delivery")
        #expect(
            WalletShipping.Status.allCases.map(\.rawValue) == [
                "open", "processing", "onTheWay", "outForDelivery", "delivered", "shipped", "issue", "cancelled",
            ]
        )
    }

    @Test("Every status of a pickup is written as the schema has it", arguments: WalletPickup.Status.allCases)
    func pickup(status: WalletPickup.Status) throws {
        let details = WalletFulfillment.Details.pickup(WalletPickup(status: status))
        let fulfillment = try document(fulfillments: [.init(externalIdentifier: "f", details: details)])
        #expect(fulfillment["fulfillments"]?[0]?["status"]?.stringValue == status.rawValue)
        // Nobody named the place: it is the marketplace's.
        #expect(fulfillment["fulfillments"]?[0]?["displayName"] == "Travel Now")
        #expect(
            WalletPickup.Status.allCases.map(\.rawValue) == [
                "open", "processing", "readyForPickup", "pickedUp", "issue", "cancelled",
            ]
        )
    }

    @Test("Places on a map lose no digit", arguments: [(0, "0.000000"), (-1, "-0.000001"), (90_000_000, "90.000000")])
    func degrees(latitude: Int64, text: String) throws {
        let place = WalletLocation(latitude: latitude, longitude: 0)
        let pickup = WalletPickup(status: .open, location: place)
        let order = try document(fulfillments: [.init(externalIdentifier: "f", details: .pickup(pickup))])
        #expect(order["fulfillments"]?[0]?["location"]?["latitude"] == .number(text))
    }

    /// A change to an order that has nothing wrong, and the place and code of what is then.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let pointer: String
        let code: String
        let change: @Sendable (inout WalletOrderInput) -> Void

        var testDescription: String { "\(pointer): \(code)" }

        init(_ pointer: String, _ code: String, _ change: @escaping @Sendable (inout WalletOrderInput) -> Void) {
            self.pointer = pointer
            self.code = code
            self.change = change
        }
    }

    static let long = String(repeating: "x", count: 101)

    static let mistakes: [Mistake] = [
        Mistake("/orderNumber", "too_long") { $0.orderNumber = long },
        Mistake("/orderNumber", "empty") { $0.orderNumber = "" },
        Mistake("/authenticationToken", "too_short") { $0.authenticationToken = Secret("0123456789abcde") },
        Mistake("/updatedAt", "not_allowed") { $0.updatedAt = $0.createdAt.adding(milliseconds: -1000) },
        Mistake("/webServiceURL", "not_allowed") { $0.texts.webServiceURL = "http://travel.example/wallet/" },
        Mistake("/orderManagementURL", "not_allowed") { $0.texts.orderManagementURL = "travel.example" },
        Mistake("/orderManagementURL", "too_long") {
            $0.texts.orderManagementURL = "https://travel.example/" + String(repeating: "x", count: 2000)
        },
        Mistake("/merchant/displayName", "too_long") { $0.texts.displayName = long },
        Mistake("/merchant/displayName", "invalid_character") { $0.texts.displayName = "Travel\nNow" },
        Mistake("/lineItems/0/title", "too_long") { $0.lineItems[0].title = long },
        Mistake("/lineItems/0/quantity", "not_allowed") { $0.lineItems[0].quantity = 0 },
        Mistake("/lineItems", "too_many") {
            $0.lineItems = Array(repeating: WalletLineItem(title: "x"), count: WalletOrderLimits.lineItems + 1)
        },
        Mistake("/fulfillments/1/fulfillmentIdentifier", "duplicate") {
            $0.fulfillments[1].externalIdentifier = $0.fulfillments[0].externalIdentifier
        },
        Mistake("/fulfillments/1/notes", "too_long") { $0.fulfillments[1].notes = String(repeating: "x", count: 1001) },
        Mistake("/fulfillments/0/trackingURL", "not_allowed") { input in
            shipping(&input) { $0.trackingURL = "javascript:alert(1)" }
        },
        Mistake("/fulfillments/0/estimatedDeliveryWindowDuration", "not_allowed") { input in
            shipping(&input) { $0.estimatedDeliveryWindow = "1 day" }
        },
        Mistake("/fulfillments/0/recipient/address/countryCode", "not_allowed") { input in
            shipping(&input) { $0.recipient?.address?.countryCode = "DEU" }
        },
        Mistake("/fulfillments/1/location/latitude", "out_of_range") { input in
            pickup(&input) { $0.location?.latitude = 90_000_001 }
        },
        Mistake("/fulfillments/1/barcode/message", "not_allowed") { input in
            pickup(&input) { $0.barcode?.message = "€" }
        },
        Mistake("/payment/transactions/0/paymentMethod/displayName", "too_long") { $0.paymentMethod = long },
        Mistake("/customer/givenName", "too_long") { $0.customer?.givenName = long },
    ]

    static func shipping(_ input: inout WalletOrderInput, _ change: (inout WalletShipping) -> Void) {
        guard case .shipping(var shipping) = input.fulfillments[0].details else { return }
        change(&shipping)
        input.fulfillments[0].details = .shipping(shipping)
    }

    static func pickup(_ input: inout WalletOrderInput, _ change: (inout WalletPickup) -> Void) {
        guard case .pickup(var pickup) = input.fulfillments[1].details else { return }
        change(&pickup)
        input.fulfillments[1].details = .pickup(pickup)
    }

    @Test("What a device would not take, or is longer than agreed, is refused by its place", arguments: mistakes)
    func refuses(mistake: Mistake) throws {
        var input = try TestOrder.full()
        mistake.change(&input)
        let problems = #expect(throws: WalletOrderProblems.self) { try WalletOrderDocument(input) }
        #expect(problems?.all.map(\.pointer).contains(mistake.pointer) == true)
        #expect(problems?.all.first { $0.pointer == mistake.pointer }?.code == mistake.code)
    }

    @Test("Everything that is wrong is said at once")
    func several() throws {
        var input = try TestOrder.full()
        input.orderNumber = ""
        input.paymentMethod = ""
        let problems = #expect(throws: WalletOrderProblems.self) { try WalletOrderDocument(input) }
        // One for the number and one for each of three transactions.
        #expect(problems?.all.count == 4)
    }

    @Test("A submerchant's own order has that part only, with the marketplace as its provider")
    func part() throws {
        let whole = try TestOrder.full()
        let order = try TestOrder.order(
            .accepted,
            [TestOrder.payment(0, .captured(10_000)), TestOrder.payment(1, .captured(10_000))]
        )
        var texts = TestOrder.texts
        texts.displayName = "Grand Hotel"
        texts.orderProvider = .init(
            displayName: "Travel Now",
            url: "https://travel.example",
            trackingLogoLight: "light.png",
            trackingLogoDark: "dark.png"
        )
        let content = WalletOrderInput.Content(
            lineItems: whole.lineItems,
            fulfillments: whole.fulfillments,
            returns: whole.returns
        )
        let input = TestOrder.input(order, of: TestOrder.payments[1], content: content, texts: texts)
        let document = try WalletOrderDocument(input).document
        #expect(document["payment"]?["total"]?["amount"] == "100.00")
        #expect(document["payment"]?["transactions"]?.arrayValue?.count == 1)
        #expect(document["lineItems"] == nil)
        #expect(document["fulfillments"]?.arrayValue?.map { $0["fulfillmentIdentifier"] } == ["pick-1"])
        #expect(document["orderProvider"]?["trackingLogoNameDarkColorScheme"] == "dark")
        #expect(document["merchant"]?["displayName"] == "Grand Hotel")
    }

    private func document(fulfillments: [WalletFulfillment]) throws -> JSON {
        let order = try TestOrder.order(.accepted, [TestOrder.payment(0, .captured(10_000))])
        return try WalletOrderDocument(TestOrder.input(order, content: .init(fulfillments: fulfillments))).document
    }
}

extension WalletOrderDocumentTests {
    static let fullOrder = """
        {
          "schemaVersion": 1, "orderTypeIdentifier": "order.com.example.travel", "orderIdentifier": "order-1",
          "orderType": "ecommerce", "orderNumber": "10293", "status": "open",
          "createdAt": "2026-03-01T12:00:00Z", "updatedAt": "2026-03-01T12:01:30Z",
          "orderManagementURL": "https://travel.example/orders/1",
          "merchant": {
            "merchantIdentifier": "merchant.com.example.travel", "displayName": "Travel Now",
            "url": "https://travel.example", "logo": "logo"
          },
          "customer": {"givenName": "Ada", "emailAddress": "ada@example.com"},
          "payment": {
            "status": "paid", "total": {"amount": "200.00", "currency": "EUR"},
            "summaryItems": [
              {"label": "Skyways", "value": {"amount": "100.00", "currency": "EUR"}},
              {"label": "Grand Hotel", "value": {"amount": "100.00", "currency": "EUR"}}
            ],
            "transactions": [
              {
                "transactionType": "purchase", "status": "completed",
                "amount": {"amount": "100.00", "currency": "EUR"}, "createdAt": "2026-03-01T12:00:00Z",
                "paymentMethod": {"displayName": "Visa 1234"},
                "applePayTransactionIdentifier": "\(String(repeating: "a", count: 64))"
              },
              {
                "transactionType": "purchase", "status": "completed",
                "amount": {"amount": "100.00", "currency": "EUR"}, "createdAt": "2026-03-01T12:00:00Z",
                "paymentMethod": {"displayName": "Visa 1234"},
                "applePayTransactionIdentifier": "\(String(repeating: "a", count: 64))"
              },
              {
                "transactionType": "refund", "status": "completed",
                "amount": {"amount": "25.00", "currency": "EUR"}, "createdAt": "2026-03-01T12:01:00Z",
                "paymentMethod": {"displayName": "Visa 1234"},
                "applePayTransactionIdentifier": "\(String(repeating: "a", count: 64))"
              }
            ]
          },
          "lineItems": [
            {
              "title": "Suitcase", "subtitle": "Skyways", "quantity": 2,
              "price": {"amount": "50.00", "currency": "EUR"}, "image": "suitcase", "gtin": "04012345678901",
              "sku": "S-1"
            }
          ],
          "fulfillments": [
            {
              "fulfillmentIdentifier": "ship-1", "fulfillmentType": "shipping", "status": "onTheWay",
              "carrier": "Post", "trackingNumber": "T1", "trackingURL": "https://post.example/T1",
              "shippedAt": "2026-03-01T12:00:01Z", "estimatedDeliveryAt": "2026-03-02T12:00:00Z",
              "estimatedDeliveryWindowDuration": "P1D",
              "recipient": {
                "givenName": "Ada",
                "address": {
                  "addressLines": ["Hauptstraße 1"], "locality": "Berlin", "postalCode": "10115",
                  "countryCode": "DE"
                }
              },
              "lineItems": [
                {
                  "title": "Suitcase", "quantity": 2, "price": {"amount": "50.00", "currency": "EUR"},
                  "image": "suitcase", "gtin": "04012345678901", "sku": "S-1"
                }
              ],
              "notes": "Skyways"
            },
            {
              "fulfillmentIdentifier": "pick-1", "fulfillmentType": "pickup", "displayName": "Grand Hotel",
              "status": "readyForPickup",
              "address": {
                "addressLines": ["Hauptstraße 1"], "locality": "Berlin", "postalCode": "10115",
                "countryCode": "DE"
              },
              "location": {"latitude": 52.520008, "longitude": -0.013404},
              "barcode": {"format": "qr", "message": "P-1", "messageEncoding": "iso-8859-1"},
              "pickupAt": "2026-03-01T12:00:00Z", "pickupWindowDuration": "PT30M", "notes": "PICKUP_NOTES"
            }
          ],
          "returns": [
            {"returnIdentifier": "return-1", "status": "open", "initiatedAt": "2026-03-01T12:00:00Z"}
          ],
          "webServiceURL": "https://travel.example/wallet/",
          "authenticationToken": "0123456789abcdef0123456789abcdef"
        }
        """
}
