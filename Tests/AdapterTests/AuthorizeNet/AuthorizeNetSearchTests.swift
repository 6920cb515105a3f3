import AdapterKit
import AuthorizeNetAdapter
import Domain
import StrictJSON
import Testing

@Suite("A search at Authorize.Net")
struct AuthorizeNetSearchTests {
    static let full = 1000

    /// A page of other people's transactions, the last of which was submitted at `time`.
    static func page(_ count: Int, until time: String, named name: String? = nil) -> WireReply {
        let rows = (0..<count).map { index -> JSON in
            let isNamed = name != nil && index == count / 2
            return [
                "transId": .string("\(700_000 + index)"), "submitTimeUTC": .string(time),
                "transactionStatus": "authorizedPendingCapture",
                "invoiceNumber": .string(isNamed ? name ?? "" : "INV-\(index)"), "settleAmount": .number("1.00"),
            ]
        }
        let messages: JSON = ["resultCode": "Ok", "message": [["code": "I00001", "text": "Successful."]]]
        return AuthorizeNetLookTests.json(["transactions": .array(rows), "messages": messages])
    }

    static func body(_ replies: [WireReply]) throws -> String {
        let request = try AuthorizeNetSample.request(Sample.call(.inquireAuthorize), after: replies)
        #expect(!request.canMoveMoney)
        return String(decoding: request.body, as: UTF8.self)
    }

    @Test(
        "goes on to the next page while it may still come",
        arguments: [
            ("2025-11-16T09:00:00Z", true), ("2025-11-16T08:53:50Z", true), ("2025-11-16T07:53:50.319Z", true),
            ("2025-11-16T07:53:50.318Z", false), ("2025-11-15T23:59:59Z", false),
        ]
    )
    func pages(last: String, goesOn: Bool) throws {
        let body = try Self.body([Self.page(Self.full, until: last)])
        #expect(body.contains("getUnsettledTransactionListRequest") == goesOn)
        #expect(body.contains(#""offset":2"#) == goesOn)
        #expect(body.contains("getSettledBatchListRequest") != goesOn)
    }

    @Test("ends a list with a page that is not full")
    func shortPage() throws {
        let first = Self.page(Self.full, until: "2025-11-16T09:00:00Z")
        let second = Self.page(Self.full - 1, until: "2025-11-16T09:00:00Z")
        #expect(try Self.body([first, second]).contains("getSettledBatchListRequest"))
    }

    @Test("proves nothing absent from a list whose pages it had to turn")
    func movingList() throws {
        let none = try AuthorizeNetSample.reply("inquire-authorize/succeeded-by-batch.1")
        let full = Self.page(Self.full, until: "2025-11-16T09:00:00Z")
        let call = try Sample.call(.inquireAuthorize)
        let turned = try AuthorizeNetSample.outcome(of: call, after: [full, none, none])
        #expect(Expectation(turned) == .unknown)
        let older = Self.page(Self.full, until: "2025-11-15T09:00:00Z")
        let single = try AuthorizeNetSample.outcome(of: call, after: [older, none])
        #expect(Expectation(single) == .rejected(.notFound))
    }

    @Test("does not believe that the rest is older where the list is not sorted as asked")
    func unsorted() throws {
        let rows = (0..<Self.full).map { index -> JSON in
            [
                "transId": .string("\(700_000 + index)"), "transactionStatus": "declined",
                "submitTimeUTC": .string(index == 0 ? "2025-11-01T00:00:00Z" : "2025-11-02T00:00:00Z"),
            ]
        }
        let messages: JSON = ["resultCode": "Ok", "message": [["code": "I00001", "text": "Successful."]]]
        let page = AuthorizeNetLookTests.json(["transactions": .array(rows), "messages": messages])
        #expect(try Self.body([page]).contains(#""offset":2"#))
    }

    @Test("finds a name on a later page, and reads that transaction")
    func found() throws {
        let first = Self.page(Self.full, until: "2025-11-16T09:00:00Z")
        let second = Self.page(20, until: "2025-11-16T09:00:00Z", named: AuthorizeNetSample.attempt)
        #expect(try Self.body([first, second]).contains(#""transId":"700010""#))
    }

    @Test("reads a batch to its end")
    func batchPages() throws {
        let empty = try AuthorizeNetSample.reply("inquire-authorize/succeeded-by-batch.1")
        let batches = try AuthorizeNetSample.reply("inquire-authorize/succeeded-by-batch.2")
        let page = Self.page(Self.full, until: "2025-11-01T00:00:00Z")
        let body = try Self.body([empty, batches, page])
        #expect(body.contains(#""batchId":"4532808""#) && body.contains(#""offset":2"#))
    }

    @Test("does not go on without end")
    func endless() throws {
        let pages = [WireReply](repeating: Self.page(Self.full, until: "2025-11-16T09:00:00Z"), count: 40)
        let outcome = try AuthorizeNetSample.outcome(of: Sample.call(.inquireAuthorize), after: pages)
        #expect(Expectation(outcome) == .unknown)
        #expect(Expectation(try AuthorizeNetSample.outcome(of: Sample.call(.void), after: pages)) == .notSent)
    }

    @Test("for an operation starts an hour before the operation was made by our clock, and takes only its own name")
    func refunds() throws {
        let call = try AuthorizeNetSample.call(.inquireRefund)
        let payments = Self.page(3, until: "2025-11-16T00:50:00Z", named: AuthorizeNetSample.attempt)
        let body = String(decoding: try AuthorizeNetSample.request(call, after: [payments]).body, as: UTF8.self)
        #expect(body.contains(#""firstSettlementDate":"2025-11-15T23:48:16.566Z""#))
    }

    @Test(
        "does not believe a list that it cannot read",
        arguments: [
            #"{"messages":{"resultCode":"Ok","message":[{"code":"I00001","text":""}]}}"#,
            #"{"transactions":{},"messages":{"resultCode":"Ok","message":[{"code":"I00001","text":""}]}}"#,
            #"{"transactions":[{"transId":"1"}],"messages":{"resultCode":"Ok"}}"#,
            #"{"transactions":[],"messages":{"resultCode":"Error","message":[{"code":"I00004","text":""}]}}"#,
        ]
    )
    func unreadable(text: String) throws {
        let reply = AuthorizeNetLookTests.json(try JSON.parse(text: text))
        let outcome = try AuthorizeNetSample.outcome(of: Sample.call(.inquireAuthorize), after: [reply])
        #expect(Expectation(outcome) == .unknown)
    }
}
