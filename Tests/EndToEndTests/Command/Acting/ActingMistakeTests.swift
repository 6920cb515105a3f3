import Testing
import TributaryTestKit

@Suite("What is asked of orders wrongly", .timeLimit(.minutes(10)))
struct ActingMistakeTests {
    @Test("is answered with exit code 2 and what is wrong, and changes nothing")
    func mistakes() async throws {
        try await Counter.with { counter in
            try await counter.place.whileServing { url in
                try await counter.order("paid", at: url, capture: "automatic")
                let before = try await counter.place.json("orders", "show", "paid")
                for (typed, sentence) in Self.mistakes {
                    let ending = try await counter.place.run(["orders"] + typed)
                    #expect(ending.status == 2, "\(typed): \(ending.err)")
                    #expect(ending.out.isEmpty)
                    #expect(ending.err.contains(sentence), "\(typed): \(ending.err)")
                    let errors = ending.err.split(separator: "\n").filter { $0.hasPrefix("Error:") }
                    #expect(errors.count == 1, "\(typed): \(ending.err)")
                }
                let unknown = try await counter.place.run("orders", "cancel", "nowhere")
                #expect(unknown.status == 1)
                #expect(unknown.err == "Error: there is no order nowhere\n")
                #expect(try await counter.place.json("orders", "show", "paid") == before)
            }
        }
    }

    private static let word = ["--evidence", "x", "--reason", "y"]

    private static let mistakes: [(typed: [String], sentence: String)] = [
        (["refund", "paid", "--amount", "0"], "--amount is above zero"),
        (
            ["refund", "paid", "--amount", "1.505"],
            "--amount 1.505 has more decimal digits than USD has; write it with 2 decimal digits, as 12.00"
        ),
        (["refund", "paid", "--amount", "150"], "--amount 150: write USD with 2 decimal digits, as 12.00"),
        (["refund", "paid", "--amount", "1,50"], "1,50"),
        (["refund", "paid", "--payment", "hotel-7=5"], "--payment hotel-7 5: write USD with 2 decimal digits"),
        (["resolve", "paid", "--outcome", "succeeded", "--amount", "-1"] + word, "--amount"),
        (["refund", "paid", "--amount", "5.00", "--payment", "hotel-7=5.00"], "say --amount or --payment, not both"),
        (["refund", "paid", "--proportional"], "--proportional needs --amount"),
        (["refund", "paid", "--payment", "hotel-7"], "--payment NAME=AMOUNT"),
        (["refund", "paid", "--payment", "motel=5.00"], "the order has no payment motel; it has airline-1, hotel-7"),
        (["refund", "paid", "--payment", "hotel-7=0"], "an amount is above zero and written as in hotel-7=15.00"),
        (["refund", "paid", "--borne-by", "nobody"], "'merchant' and 'marketplace'"),
        (["capture", "paid", "--payment", "hotel-7=12,5"], "an amount is above zero and written as in hotel-7=15.00"),
        (["capture", "paid", "--payment", "=5.00"], "hotel-7=15.00"),
        (["capture", "paid", "--keep-rest"], "--keep-rest needs --payment"),
        (["capture", "paid", "--wait", "-1"], "--wait"),
        (["resolve", "paid", "--outcome", "succeeded", "--reason", "y"], "--evidence"),
        (["resolve", "paid", "--outcome", "maybe"] + word, "maybe"),
        (["resolve", "paid", "--outcome", "failed", "--amount", "5.00"] + word, "belong to --outcome succeeded"),
        (["resolve", "paid", "--outcome", "failed", "--operation", "five"] + word, "five is no operation's id"),
    ]
}
