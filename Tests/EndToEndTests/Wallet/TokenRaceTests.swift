import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

@Suite("One token, two instances", .timeLimit(.minutes(10)))
struct TokenRaceTests {
    private static let rounds = 25

    @Test("pays one order, however often it is sent to both at once")
    func race() async throws {
        try await WalletPlace.with(.postgres) { stage in
            let (first, here) = try await stage.serve()
            let (second, there) = try await stage.serve()
            for round in 0..<Self.rounds {
                let order = WalletPlace.order([1000], try stage.applePay(TestApplePayment(amount: 1000)))
                async let one = stage.post(order, key: "one-\(round)", to: here)
                async let other = stage.post(order, key: "other-\(round)", to: there)
                let replies = try await [one, other].sorted { $0.status < $1.status }
                #expect(replies.map(\.status) == [201, 422], "\(replies.map(\.json.text))")
                #expect(replies[0].json["status"] == "paid")
                #expect(replies[1].json.at("errors/0/code") == "token_already_used")
                #expect(replies[1].json.at("errors/0/stage") == "replay")
            }
            let booked = await stage.psp.authorizations(of: "sim")
            #expect(booked.count == Self.rounds)
            await first.stop()
            await second.stop()
        }
    }
}
