import StrictJSON
import Testing
import TributaryTestKit

@Suite("Acting on orders", .timeLimit(.minutes(10)))
struct ActingTests {
    @Test("captures the whole of one order and a part of another, and gives back", arguments: DatabaseEngine.allCases)
    func takesAndGivesBack(_ engine: DatabaseEngine) async throws {
        try await Counter.with(engine) { counter in
            let place = counter.place
            try await place.whileServing { url in
                try await counter.order("whole", at: url)
                let whole = try await place.json("orders", "capture", "whole")
                #expect(whole["status"] == "paid")
                #expect(whole["captured_amount"] == 48_500)

                try await counter.order("part", at: url)
                let part = try await place.json("orders", "capture", "part", "--payment", "hotel-7=5.00")
                #expect(part["status"] == "partially_captured")
                #expect(part["captured_amount"] == 500)
                #expect(part["payments"]?[1]?["status"] == "captured")
                #expect(try await counter.booked() == (30_000, 49_000, 0))

                let refunded = try await place.json(
                    "orders",
                    "refund",
                    "whole",
                    "--amount",
                    "10.00",
                    "--proportional",
                    "--reason",
                    "rain"
                )
                #expect(refunded["status"] == "partially_refunded")
                #expect(refunded["refunds"]?[0]?["reason"] == "rain")
                let items = refunded["refunds"]?[0]?["items"]?.arrayValue
                #expect(items?.compactMap { $0["amount"]?.integerValue } == [619, 381])
                let rest = try await place.json("orders", "refund", "whole")
                #expect(rest["status"] == "refunded")
                #expect(try await counter.booked() == (30_000, 49_000, 48_500))
            }
        }
    }

    @Test("keeps what is left of a hold if told to, and cancels what is not captured")
    func keepsAndCancels() async throws {
        try await Counter.with { counter in
            let place = counter.place
            try await place.whileServing { url in
                try await counter.order("kept", at: url)
                _ = try await place.json("orders", "capture", "kept", "--payment", "hotel-7=5.00", "--keep-rest")
                #expect(try await counter.booked() == (48_000, 500, 0))
                let rest = try await place.json("orders", "capture", "kept", "--payment", "hotel-7")
                #expect(rest["captured_amount"] == 18_500)

                try await counter.order("off", at: url)
                let off = try await place.json("orders", "cancel", "off")
                #expect(off["status"] == "canceled")
                #expect(try await counter.booked() == (30_000, 18_500, 0))
                let page = try await place.run("orders", "show", "off")
                #expect(page.out.contains("canceled"), "\(page.out)")

                try await counter.order("one", at: url)
                let one = try await place.json("orders", "cancel", "one", "--payment", "hotel-7")
                #expect(one["status"] == "authorized" && one["payments"]?[1]?["status"] == "voided")
                #expect(try await counter.booked() == (60_000, 18_500, 0))
            }
        }
    }

    @Test("refuses with the code in a sentence, exits 1 and changes nothing")
    func refuses() async throws {
        try await Counter.with { counter in
            let place = counter.place
            try await place.whileServing { url in
                try await counter.order("loose", at: url)
                try await counter.order("strict", at: url, policy: "all_or_nothing")
                try await counter.order("paid", at: url, capture: "automatic")
                let before = try await counter.booked()
                for (typed, code) in [
                    (["capture", "loose", "--payment", "hotel-7=185.01"], "capture_exceeds_authorized"),
                    (["capture", "strict", "--payment", "hotel-7"], "capture_in_part"),
                    (["capture", "paid"], "not_capturable"), (["cancel", "paid"], "already_captured"),
                    (["refund", "loose"], "not_refundable"),
                    (["refund", "paid", "--amount", "0.05"], "allocation_required"),
                    (["refund", "paid", "--payment", "hotel-7=185.01"], "refund_exceeds_captured"),
                ] {
                    let ending = try await place.run(["orders"] + typed)
                    #expect(ending.status == 1, "\(typed): \(ending.err)")
                    #expect(ending.out.isEmpty)
                    #expect(ending.err.hasPrefix("Error: \(code): "), "\(typed): \(ending.err)")
                    #expect(ending.err.split(separator: "\n").count == 1, "\(typed): \(ending.err)")
                }
                #expect(try await counter.booked() == before)
            }
        }
    }

    @Test(
        "writes down what nobody serves yet, and it is done once an instance does",
        arguments: DatabaseEngine.allCases
    )
    func later(_ engine: DatabaseEngine) async throws {
        try await Counter.with(engine) { counter in
            let place = counter.place
            try await place.whileServing { url in try await counter.order("later", at: url) }
            let asked = try await place.run("orders", "capture", "later", "--wait", "0", "--format", "json")
            #expect(asked.status == 0)
            #expect(asked.err.contains("It is written down"), "\(asked.err)")
            #expect(try JSON.parse(Array(asked.out.utf8))["captured_amount"] == 0)
            #expect(try await counter.booked().captured == 0)
            let twice = try await place.run("orders", "capture", "later", "--wait", "0")
            #expect(twice.status == 1, "\(twice.err)")
            try await place.whileServing { _ in
                let done = try await counter.order("later", once: "paid")
                #expect(done["captured_amount"] == 48_500)
            }
            #expect(try await counter.booked() == (0, 48_500, 0))
        }
    }

    @Test("ends a doubt with an operator's word, whose evidence and reason the history keeps")
    func resolves() async throws {
        try await Counter.with { counter in
            var place = counter.place
            place.environment["TRIBUTARY_TIMINGS_PSP_TIMEOUT"] = "1s"
            place.environment["TRIBUTARY_TIMINGS_PSP_CONNECT_TIMEOUT"] = "1s"
            let silent = "tok_approve+capture_never+inquire_never"
            try await place.whileServing { url in try await counter.order("doubt", at: url, airline: silent) }
            let (server, _) = try await place.serve()
            let asked = try await place.json("orders", "capture", "doubt")
            #expect(asked["status"] != "paid")
            await server.stop()
            let operations = try await place.json("orders", "show", "doubt")["operations"]?.arrayValue ?? []
            let open = operations.filter { $0["kind"] == "capture" && $0["state"] != "succeeded" }
            #expect(open.count == 1, "\(operations)")
            let resolved = try await place.json(
                "orders",
                "resolve",
                "doubt",
                "--outcome",
                "succeeded",
                "--psp-reference",
                "cap_77",
                "--evidence",
                "dashboard of sim",
                "--reason",
                "seen as captured",
                "--wait",
                "0"
            )
            #expect(resolved["status"] == "paid")
            let events = try await place.json("orders", "events", "doubt").arrayValue ?? []
            let told = try #require(events.first { $0["type"] == "payment.resolved" })
            #expect(told["details"]?["evidence"] == "dashboard of sim")
            #expect(told["details"]?["reason"] == "seen as captured")
            #expect(told["details"]?["outcome"] == "succeeded")
            #expect(told["details"]?["by"]?.stringValue?.isEmpty == false)
            let again = try await place.run(
                "orders",
                "resolve",
                "doubt",
                "--outcome",
                "failed",
                "--evidence",
                "x",
                "--reason",
                "y"
            )
            #expect(again.status == 1)
            #expect(again.err == "Error: the order has no open operation\n")
        }
    }
}
