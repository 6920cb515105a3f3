import Domain
import HTTPTransport
import Logging
import OpenSSLCMS
import Settings
import StrictJSON
import WalletTwins

/// What stands for Apple and the buyer in a demonstration: an order type with throw-away keys, a push service, a device.
struct DemoWallet {
    /// The order type.
    static let orderType = "order.test.travel"
    /// Where devices would ask; this one asks the gateway on this machine.
    static let webServiceURL = "https://pay.travel.example/wallet-orders"
    private static let pushToken = String(repeating: "d1", count: 32)

    /// Apple's push service.
    let apns: RunningAPNsTwin
    /// The buyer's device.
    let device: DeviceTwin
    private let keys: OrderTypeKeys

    /// Starts the push service, and makes a device that has no order yet.
    ///
    /// - Throws: what OpenSSL says if it cannot make keys, and why the service cannot listen.
    static func start(_ transport: HTTPTransport) async throws -> DemoWallet {
        let yesterday = MomentOption.now.adding(milliseconds: -86_400_000)
        let keys = try OrderTypeKeys(orderTypeIdentifier: orderType, notBefore: yesterday)
        let settings = DeviceTwin.Settings(
            webServiceURL: "",
            orderTypeIdentifier: orderType,
            roots: try TrustRoots([keys.root.certificate]),
            deviceIdentifier: "demo-device",
            pushToken: pushToken
        )
        return DemoWallet(
            apns: try await APNsTwin(keys: keys, logger: .standardError(.error)).start(),
            device: DeviceTwin(settings, transport: transport) { MomentOption.now },
            keys: keys
        )
    }

    /// The files that a declaration names, by name.
    func files() throws -> [(name: String, bytes: [UInt8])] {
        [
            ("order-type.pem", try keys.orderType.certificate.pem()), ("order-type.key", try keys.orderType.key.pem()),
            ("authority.pem", try keys.authority.certificate.pem()), ("apns.pem", try keys.root.certificate.pem()),
            ("logo.png", PlainPicture.png()),
        ]
    }

    /// What a declaration says of it.
    ///
    /// - Parameter reference: the reference to a file of that name.
    /// - Returns: YAML.
    func declaration(_ reference: (String) -> String) -> String {
        """
        wallet_orders:
          order_type_identifier: \(Self.orderType)
          certificate: \(reference("order-type.pem"))
          key: \(reference("order-type.key"))
          intermediates: [\(reference("authority.pem"))]
          merchant_identifier: merchant.test.travel
          logo: \(reference("logo.png"))
          order_management_url: "https://travel.example/orders/{reference}"
          web_service_url: "\(Self.webServiceURL)"
          push_url: "\(apns.url)"
          push_authorities: \(reference("apns.pem"))
        """
    }
}

/// One order of the demonstration that a buyer follows in Wallet: paid, on its way, there, partly given back.
struct DemoFollowing {
    /// What happened, and what the device made of it.
    struct Chapter {
        /// What the marketplace did.
        let deed: String
        /// What the device shows that is new.
        var changes: [OrderChange]
    }

    /// How long a push may take.
    private static let patience = Duration.seconds(20)
    private static let reference = "demo-followed"

    private let stage: DemoStage

    init(_ stage: DemoStage) { self.stage = stage }

    /// What happens, for people.
    static let title = "A buyer follows an order in Wallet: paid, on its way, there, partly given back."

    /// Plays it.
    ///
    /// - Returns: the order at its end, and what the device showed on the way.
    /// - Throws: ``CommandFailure`` if the gateway does not answer or a push does not come, ``DeviceComplaint`` if the device
    ///   cannot take what it gets.
    func play() async throws -> (order: JSON, chapters: [Chapter]) {
        let (checkout, wallet) = (stage.checkout, stage.wallet)
        await wallet.device.reach(checkout.gatewayURL + "/wallet-orders")
        guard let placed = try await checkout.place(Self.body, key: Self.reference), let id = placed["id"]?.stringValue,
            let payments = placed["payments"]?.arrayValue?.compactMap({ $0["id"]?.stringValue }), payments.count == 2
        else { throw CommandFailure.finding("the gateway did not answer") }
        let link = try await checkout.send(.post, "/v1/orders/\(id)/wallet-package-links", [:], key: "link")
        let name = try await wallet.device.add(
            link: link["url"]?.stringValue ?? "",
            webServiceURL: DemoWallet.webServiceURL
        )
        let shown = await wallet.device.orders[name]?.document
        var chapters = [
            Chapter(
                deed: "the buyer adds the order",
                changes: [
                    .status(from: "-", to: shown?["status"]?.stringValue ?? "-"),
                    .payment(from: "-", to: shown?["payment"]?["status"]?.stringValue ?? "-"),
                ]
            )
        ]
        var pushes = 0
        /// Waits for pushes until the device shows what the deed led to; one deed may lead to several.
        func follow(_ deed: String, until isShown: (JSON) -> Bool, _ act: () async throws -> Void) async throws {
            try await act()
            var chapter = Chapter(deed: deed, changes: [])
            while let document = await wallet.device.orders[name]?.document, !isShown(document) {
                guard await wallet.apns.book.wait(for: pushes + 1, within: Self.patience) else {
                    throw CommandFailure.finding("the device was not pushed: \(deed)")
                }
                pushes = wallet.apns.book.pushes.count
                chapter.changes += try await wallet.device.receivePush()[name] ?? []
            }
            chapters.append(chapter)
        }
        func tell(_ goods: String, _ payment: Int, _ body: JSON) async throws {
            var members = body.objectValue ?? []
            members.append(.init("payment", .string(payments[payment])))
            _ = try await checkout.send(.put, "/v1/orders/\(id)/fulfillments/\(goods)", .object(members), key: nil)
        }
        let isPaid = { (document: JSON) -> Bool in document["payment"]?["status"] == "paid" }
        try await follow("the marketplace captures it", until: isPaid) {
            _ = try await checkout.send(.post, "/v1/orders/\(id)/capture", [:], key: "followed-capture")
        }
        for (deed, goods, payment, body) in Self.deeds {
            // Wallet knows a fulfillment by its payment, too: two merchants may use the same name.
            let identifier = "\(payments[payment])/\(goods)"
            let isShown = { (document: JSON) -> Bool in
                document["fulfillments"]?.arrayValue?.contains {
                    $0["fulfillmentIdentifier"]?.stringValue == identifier && $0["status"] == body["status"]
                } ?? false
            }
            try await follow(deed, until: isShown) { try await tell(goods, payment, body) }
        }
        let isGivenBack = { (document: JSON) -> Bool in
            document["payment"]?["transactions"]?.arrayValue?.contains { $0["transactionType"] == "refund" } ?? false
        }
        try await follow("the hotel gives a night back", until: isGivenBack) {
            let items: JSON = [["payment": .string(payments[1]), "amount": 9250]]
            _ = try await checkout.send(.post, "/v1/orders/\(id)/refunds", ["items": items], key: "followed-refund")
        }
        return (try await checkout.order(id), chapters)
    }

    /// What the device has to have shown: each step something, and the goods there at the end.
    static func problem(in chapters: [Chapter]) -> String? {
        if let silent = chapters.first(where: { $0.changes.isEmpty }) { return "nothing new was shown: \(silent.deed)" }
        let all = chapters.flatMap(\.changes)
        let expected: [OrderChange] = [
            .status(from: "open", to: "completed"),
            .transaction(type: "refund", status: "completed", amount: "92.50 USD"),
        ]
        return expected.first { !all.contains($0) }.map { "the device never showed: \($0)" }
    }

    /// One line a change.
    static func table(_ chapters: [Chapter]) -> Table {
        chapters.reduce(into: Table("what happened", "what Wallet shows")) { table, chapter in
            for (number, change) in chapter.changes.enumerated() {
                table.add(number == 0 ? .text(chapter.deed) : .absent, .text(change.description.harmless))
            }
        }
    }

    /// One object a chapter.
    static func json(_ chapters: [Chapter]) -> JSON {
        .array(
            chapters.map { chapter in
                ["happened": .string(chapter.deed), "shown": .strings(chapter.changes.map(\.description))]
            }
        )
    }

    /// What happens to the goods: of which payment, and what is told of it.
    private static let deeds: [(deed: String, goods: String, payment: Int, body: JSON)] = [
        ("the airline sends the tickets", "tickets", 0, ["type": "shipping", "status": "onTheWay", "carrier": "Post"]),
        (
            "the hotel has the room ready", "room", 1,
            ["type": "pickup", "status": "readyForPickup", "display_name": "Reception"]
        ),
        ("the tickets are there", "tickets", 0, ["type": "shipping", "status": "delivered", "carrier": "Post"]),
        ("the buyer has moved in", "room", 1, ["type": "pickup", "status": "pickedUp", "display_name": "Reception"]),
    ]

    private static let body: JSON = [
        "reference": .string(reference), "currency": "USD", "amount": 48_500, "capture": "manual",
        "policy": ["type": "all_or_nothing"], "wallet_order": ["order_number": "T-1001"],
        "contexts": [part("airline-1", .alpha, 30_000), part("hotel-7", .beta, 18_500)],
    ]

    private static func part(_ merchant: String, _ psp: DemoPSP, _ amount: Int64) -> JSON {
        [
            "external_identifier": .string(merchant), "amount": .integer(amount),
            "payment": ["type": "psp_token", "token": "tok_approve", "psp_account": .string(psp.rawValue)],
        ]
    }
}
