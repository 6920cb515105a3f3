import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

/// An order that an airline and a hotel share, in which nothing of one looks like anything of the other.
struct SharedOrder {
    let id: String
    /// The airline's payment and the hotel's.
    let payments: [String]
    /// The airline and the hotel.
    let merchants: [String]
    private let references: [String]
    private let names: [[String]] = [
        ["airline-1", "Skyways", "sky-account", "seat 12A", "window", "SKY-1"],
        ["hotel-7", "Grand Hotel", "inn-account", "room 404", "quiet", "INN-7"],
    ]
    private let amounts: [[Int64]] = [[30_017, 10_003], [18_529, 7_777]]

    fileprivate init(_ json: JSON) throws {
        id = try #require(json["id"]?.stringValue)
        let all = try #require(json["payments"]?.arrayValue)
        payments = all.compactMap { $0["id"]?.stringValue }
        merchants = all.compactMap { $0["merchant"]?.stringValue }
        references = all.compactMap { $0["psp_reference"]?.stringValue }
        try #require(payments.count == 2 && merchants.count == 2 && references.count == 2)
    }

    /// What there is of one merchant alone.
    struct Known {
        let texts: [String]
        let amounts: [Int64]

        /// What of it a document mentions.
        func mentioned(in document: JSON) -> [String] {
            switch document {
            case .string(let text): texts.filter { text.contains($0) }
            case .integer(let number): amounts.contains(number) || amounts.contains(-number) ? ["\(number)"] : []
            case .array(let elements): elements.flatMap { mentioned(in: $0) }
            case .object(let members): members.flatMap { mentioned(in: .string($0.key)) + mentioned(in: $0.value) }
            case .null, .bool, .number: []
            }
        }
    }

    /// What only one of the two may hear of, 0 being the airline; the order's sum is neither's.
    func known(of index: Int) -> Known {
        Known(
            texts: names[index] + [payments[index], merchants[index], references[index]],
            amounts: amounts[index] + [48_546]
        )
    }

    /// Paths of what is about the whole order, each with one of what is not there.
    func wholes(besides nobody: String) -> [(String, String)] {
        [("orders/\(id)", "orders/ord_\(nobody)"), ("orders/\(id)/events", "orders/ord_\(nobody)/events")]
    }

    /// The marketplace of both, where everybody listens.
    struct Market {
        let place: Workplace
        let agency: RunningProgram
        let airline: RunningProgram
        let hotel: RunningProgram

        init(_ place: Workplace, psp: String) async throws {
            self.place = place
            var urls: [String] = []
            var receivers: [RunningProgram] = []
            for _ in 1...3 {
                let (receiver, url) = try await DeliveryTests.receiver(place, "env:HOOK_SECRET")
                receivers.append(receiver)
                urls.append(url)
            }
            (agency, airline, hotel) = (receivers[0], receivers[1], receivers[2])
            func account(_ name: String) -> String {
                "{ id: \(name), psp: simulator, base_url: \"\(psp)\", credentials: { api_key: \"env:SIM_KEY\" } }"
            }
            func callback(_ url: String) -> String { "callback: { url: \"\(url)/\", secret: \"env:HOOK_SECRET\" }" }
            let text = """
                marketplace: { id: travel, name: Travel Now, \(callback(urls[0])) }
                psp_accounts:
                  - \(account("sky-account"))
                  - \(account("inn-account"))
                merchants:
                  - external_identifier: airline-1
                    name: Skyways
                    routes: [{ psp_account: sky-account }]
                    \(callback(urls[1]))
                  - external_identifier: hotel-7
                    name: Grand Hotel
                    routes: [{ psp_account: inn-account }]
                    \(callback(urls[2]))
                """
            try place.write(text, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
        }

        /// Places the order, 300.17 USD for the airline and 185.29 USD for the hotel.
        func order(at url: String) async throws -> SharedOrder {
            let made = try await place.json("keys", "create", "--scope", "checkout")
            let key = try #require(made["key"]?.stringValue)
            func context(_ merchant: String, _ amount: Int64, _ account: String, _ words: [String]) -> JSON {
                [
                    "external_identifier": .string(merchant), "amount": .integer(amount),
                    "reference": .string(words[0]), "metadata": ["wish": .string(words[1])],
                    "payment": ["type": "psp_token", "token": "tok_approve", "psp_account": .string(account)],
                ]
            }
            let body: JSON = [
                "currency": "USD", "amount": 48_546, "policy": ["type": "all_or_nothing"],
                "contexts": [
                    context("airline-1", 30_017, "sky-account", ["seat 12A", "window"]),
                    context("hotel-7", 18_529, "inn-account", ["room 404", "quiet"]),
                ],
            ]
            let call = HTTPCall(.post, url + "/v1/orders", key: key).sending(body, idempotencyKey: "one")
            let reply = try await call.reply()
            try #require(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
            return try SharedOrder(try JSON.parse(reply.body))
        }

        /// Pays both; the airline's money comes back.
        func pay() async throws {
            func record(_ merchant: String, _ amount: String, _ reference: String) async throws -> JSON {
                try await place.json([
                    "payouts", "record", "--merchant", merchant, "--amount", amount, "--currency", "USD",
                    "--reference", reference,
                ])
            }
            let payout = try await record("airline-1", "100.03", "SKY-1")
            _ = try await record("hotel-7", "77.77", "INN-7")
            let id = try #require(payout[0]?["id"]?.stringValue)
            _ = try await place.json("payouts", "fail", id, "--reason", "account closed")
        }

        func stop() async { for receiver in [agency, airline, hotel] { await receiver.stop() } }
    }
}
