import Domain
import Foundation
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Orders in Wallet have pictures, returns and receipts", .timeLimit(.minutes(10)))
struct ToldDocumentTests {
    private static let paper = Array("%PDF-1.4 receipt".utf8)

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// The trip with a picture that its first item has.
    private static func trip(_ pictures: [String: [UInt8]], named name: String = "ticket") -> JSON {
        let items: JSON = [["name": "Flight", "quantity": 1, "unit_amount": 30_000, "picture": .string(name)]]
        let contexts = (FollowedStage.trip["contexts"]?.arrayValue ?? []).enumerated().map { index, context in
            index == 0 ? context.with("line_items", items) : context
        }
        let shown = JSON.object(pictures.map { .init($0.key, .string(Self.base64($0.value))) })
        return FollowedStage.trip.with("contexts", .array(contexts)).with("wallet_order", ["pictures": shown])
    }

    @Test("Pictures stand in the package, and in what is told later", arguments: DatabaseEngine.allCases)
    func pictures(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, Self.trip(["ticket": FollowedStage.logo]))
            let shown = try await stage.document(trip.order)
            #expect(shown.at("lineItems/0/image") == "ticket")
            let package = try await stage.fetch(trip.order).bytes
            #expect(package.firstRange(of: Array("ticket.png".utf8)) != nil)
            let parcel: JSON = [
                "type": "shipping", "status": "shipped", "payment": .string(trip.payments[0]),
                "line_items": [["title": "Ticket", "quantity": 1, "picture": "ticket", "gtin": "04012345678901"]],
            ]
            #expect(try await stage.put("fulfillments/p", of: trip.order, parcel, by: trip.client).status == 201)
            let unknown = parcel.with("line_items", [["title": "T", "quantity": 1, "picture": "nothing"]])
            let refused = try await stage.put("fulfillments/p", of: trip.order, unknown, by: trip.client)
            #expect(refused.code == "wallet_order_invalid", "\(refused)")
        }
    }

    /// A picture that no package has, what an item calls its own, and what is said of it.
    struct Unusable: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let item: String
        let detail: String

        var testDescription: String { "\(name) \(item): \(detail)" }

        init(_ name: String, _ bytes: [UInt8], item: String = "ticket", _ detail: String) {
            (self.name, self.bytes, self.item, self.detail) = (name, bytes, item, detail)
        }
    }

    static let unusablePictures = [
        Unusable("ticket", Array("GIF89a".utf8), "Must be a picture in PNG or JPEG."),
        Unusable("ticket", FollowedStage.logo, item: "other", "Must be the name of a picture of the package."),
        Unusable("logo", FollowedStage.logo, item: "logo", "Is the marketplace's own picture."),
        Unusable("ticket", FollowedStage.logo + [UInt8](repeating: 0, count: 100_000), "at most 100000 bytes."),
        Unusable("../ticket", FollowedStage.logo, "Must consist of letters"),
    ]

    @Test("Pictures that no package can have refuse the order, when it is placed", arguments: unusablePictures)
    func unusable(picture: Unusable) async throws {
        try await FollowedStage.with(.sqlite) { stage in
            let client = try await stage.api.client("checkout")
            let body = Self.trip([picture.name: picture.bytes], named: picture.item)
            let reply = try await client.post("/v1/orders", body, key: "one")
            #expect(reply.status == 422, "\(reply)")
            #expect(reply.code == "wallet_order_invalid")
            #expect(String(decoding: reply.bytes, as: UTF8.self).contains(picture.detail), "\(reply)")
        }
    }

    @Test("Returns are told like fulfillments, by a merchant of its own alone", arguments: DatabaseEngine.allCases)
    func returns(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let start = try await stage.versions(trip.order)[0]
            let body: JSON = [
                "status": "onTheWay", "payment": .string(trip.payments[0]), "return_number": "R-1",
                "return_label": .string(Self.base64(Self.paper)), "drop_off_by": "2027-02-01T00:00:00Z",
            ]
            let told = try await stage.put("returns/r", of: trip.order, body, by: trip.client)
            #expect(told.status == 201, "\(told)")
            #expect(told.json["return_label"] == nil)
            #expect(told.json["status"] == "onTheWay")
            #expect(try await stage.put("returns/r", of: trip.order, body, by: trip.client).status == 200)
            #expect(try await stage.versions(trip.order)[0] == start + 1)
            let shown = try await stage.document(trip.order)
            #expect(shown.at("returns/0/returnIdentifier")?.stringValue == "\(trip.payments[0])/r")
            let label = try #require(shown.at("returns/0/returnLabel")?.stringValue)
            #expect(try await stage.fetch(trip.order).bytes.firstRange(of: Array(label.utf8)) != nil)
            let done = body.with("status", "completed")
            #expect(try await stage.put("returns/r", of: trip.order, done, by: trip.client).status == 200)
            #expect(try await stage.document(trip.order).at("returns/0/status") == "completed")
            for (wrong, error) in [
                (body.with("status", "lost"), "/status not_allowed"),
                (body.with("return_label", "AAAA"), "/return_label not_allowed"),
                (body.with("return_label", "%"), "/return_label not_allowed"),
                (body.with("surprise", 1), "/surprise unknown_field"),
            ] { #expect(try await stage.put("returns/r", of: trip.order, wrong, by: trip.client).errors == [error]) }
            let hotel = try await stage.api.client("merchant:hotel")
            #expect(try await stage.put("returns/r", of: trip.order, body, by: hotel).status == 404)
            let own = try await stage.put("returns/r", of: trip.order, ["status": "open"], by: hotel)
            #expect(own.status == 201, "\(own)")
            #expect(try await stage.document(trip.order)["returns"]?.arrayValue?.count == 2)
        }
    }

    @Test("Receipts stand beside the purchase and the refund that they are of", arguments: DatabaseEngine.allCases)
    func receipts(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            #expect(try await trip.ask("capture").status == 200)
            let refund = try await trip.ask("refunds", trip.items(100), key: "r1")
            #expect(refund.status == 201, "\(refund)")
            let id = try #require(
                try await trip.client.get("/v1/orders/\(trip.order)").json.at("refunds/0/id")?.stringValue
            )
            let payment = trip.payments[0]
            let file: JSON = ["file": .string(Self.base64(Self.paper))]
            for path in ["receipts/\(payment)", "receipts/\(payment)/\(id)"] {
                let told = try await stage.put(path, of: trip.order, file, by: trip.client)
                #expect(told.status == 201, "\(told)")
                #expect(told.json["bytes"] == .integer(Int64(Self.paper.count)))
                #expect(told.json["file"] == nil)
                #expect(try await stage.put(path, of: trip.order, file, by: trip.client).status == 200)
            }
            let lines = try await stage.document(trip.order).at("payment/transactions")?.arrayValue ?? []
            #expect(
                lines.compactMap { $0["receipt"]?.stringValue }
                    == ["receipt-\(payment).pdf", "receipt-\(payment)-\(id).pdf"]
            )
            // A package of the other merchant's part has none of it.
            let link = try await trip.client.post(
                "/v1/orders/\(trip.order)/wallet-package-links",
                ["payment": .string(trip.payments[1])]
            )
            #expect(link.status == 201)
            #expect(try await stage.fetch(trip.payments[1]).bytes.firstRange(of: Self.paper) == nil)
            for (path, status) in [
                ("receipts/pay_00000000000000000000000000", 404), ("receipts/nothing", 404),
                ("receipts/\(trip.payments[1])/\(id)", 404),
            ] {
                let reply = try await stage.put(path, of: trip.order, file, by: trip.client)
                #expect(reply.status == status, "\(path) \(reply)")
            }
            let plain = try await stage.put(
                "receipts/\(payment)",
                of: trip.order,
                ["file": .string(Self.base64(Array("no paper".utf8)))],
                by: trip.client
            )
            #expect(plain.errors == ["/file not_allowed"])
            let large: JSON = ["file": .string(Self.base64(Self.paper + [UInt8](repeating: 0, count: 150_000)))]
            #expect(try await stage.put("receipts/\(payment)", of: trip.order, large, by: trip.client).status == 422)
        }
    }

    @Test("A merchant's own package says who gives its data, where the marketplace says so")
    func provider() async throws {
        try await FollowedStage.with(.sqlite) { stage in
            try await stage.declare(
                provider: WalletAccess.Orders.Provider(
                    displayName: "Travel Now",
                    url: "https://travel.example",
                    logoLight: "file:logo",
                    logoDark: "file:logo"
                )
            )
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            #expect(try await stage.document(trip.order)["orderProvider"] == nil)
            let link = try await trip.client.post(
                "/v1/orders/\(trip.order)/wallet-package-links",
                ["payment": .string(trip.payments[0])]
            )
            #expect(link.status == 201, "\(link)")
            let shown = try await stage.document(trip.payments[0])
            #expect(shown.at("orderProvider/displayName") == "Travel Now")
            #expect(shown.at("orderProvider/trackingLogoNameLightColorScheme") == "tracking-light")
        }
    }
}
