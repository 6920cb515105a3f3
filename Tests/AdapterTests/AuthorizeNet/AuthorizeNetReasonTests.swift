import AdapterKit
import AuthorizeNetAdapter
import Domain
import StrictJSON
import Testing

@Suite("Authorize.Net's reason codes")
struct AuthorizeNetReasonTests {
    /// The codes that are declines, by what a checkout would show.
    static let declineRows: [(codes: String, category: Decline.Category)] = [
        ("2 3 222", .generic), ("4", .lostOrStolen), ("41 141 250 251 254", .suspectedFraud),
        ("8 317", .expiredCard),
        ("6 7 27 37 44 45 65 78 127 145 156 165 200 201 211 215 218 315 316", .invalidCard),
        ("17 28 128 202 203 204 205 206 207 208 210 212 213 216 219 221", .notPermitted),
        ("19 20 21 22 23 25 26 57 58 59 60 61 62 63 209 214 217 220 223 224", .temporary),
    ]
    static let categories: [(code: String, category: Decline.Category)] = declineRows.flatMap { row in
        row.codes.split(separator: " ").map { (code: String($0), category: row.category) }
    }
    static let doubts = ["11", "36", "52", "120", "121", "122", "152", "180", "181", "261", "318"]

    /// A transaction that was not approved.
    static func reply(_ responseCode: String, _ reason: String, to operation: SampleOperation) -> WireReply {
        let isAuthorization = operation == .authorize
        return AuthorizeNetLookTests.json([
            "transactionResponse": [
                "responseCode": .string(responseCode), "transId": isAuthorization ? "0" : "60198765432",
                "refTransID": isAuthorization ? "" : "60198765432", "testRequest": "0",
                "errors": [["errorCode": .string(reason), "errorText": "…"]],
            ],
            "refId": .string(AuthorizeNetSample.operation),
            "messages": [
                "resultCode": .string(responseCode == "2" ? "Ok" : "Error"),
                "message": [["code": "E00027", "text": "…"]],
            ],
        ])
    }

    static func outcome(_ responseCode: String, _ reason: String, of operation: SampleOperation) throws -> Outcome {
        let call =
            operation == .authorize
            ? try Sample.call(operation, credential: Sample.credential(.pspToken))
            : try AuthorizeNetSample.call(operation)
        let reply = Self.reply(responseCode, reason, to: operation)
        return try AuthorizeNetSample.outcome(of: call, after: [reply])
    }

    @Test("fall into a category, whether the issuer declined or an error said so", arguments: categories)
    func declines(row: (code: String, category: Decline.Category)) throws {
        #expect(ReasonCodes.meaning(row.code) == .decline(row.category))
        for responseCode in ["2", "3"] {
            guard case .declined(let decline) = try Self.outcome(responseCode, row.code, of: .authorize) else {
                Issue.record("\(responseCode) is no decline")
                continue
            }
            #expect(decline.code == row.code && decline.category == row.category)
        }
    }

    @Test("after which something may have happened are doubt, whatever was asked", arguments: doubts)
    func doubt(code: String) throws {
        #expect(ReasonCodes.meaning(code) == .doubt)
        for operation in [SampleOperation.authorize, .capture, .void, .refund] {
            for responseCode in ["2", "3"] {
                #expect(Expectation(try Self.outcome(responseCode, code, of: operation)) == .unknown)
            }
        }
    }

    @Test("refuse the request or the payment", arguments: ReasonCodes.codes)
    func rejections(code: String) throws {
        guard case .rejection(let reason) = ReasonCodes.meaning(code) else { return }
        for operation in [SampleOperation.authorize, .capture, .void, .refund] {
            #expect(Expectation(try Self.outcome("3", code, of: operation)) == .rejected(reason))
        }
    }

    @Test("about the card are no declines of a later operation", arguments: categories)
    func laterOperations(row: (code: String, category: Decline.Category)) throws {
        let expected: Expectation = row.category == .temporary ? .unknown : .rejected(.configuration)
        for operation in [SampleOperation.capture, .void, .refund] {
            #expect(Expectation(try Self.outcome("3", row.code, of: operation)) == expected)
        }
    }

    @Test("that nobody has heard of are doubt as errors, and declines without a reason as declines")
    func unheardOf() throws {
        for code in ["0", "9998", "-1", "two", "Visa 4242", ""] {
            #expect(ReasonCodes.meaning(code) == nil)
            #expect(Expectation(try Self.outcome("3", code, of: .authorize)) == .unknown)
            #expect(Expectation(try Self.outcome("2", code, of: .authorize)) == .declined(.generic))
            #expect(Expectation(try Self.outcome("2", code, of: .void)) == .unknown)
        }
    }

    @Test("are each of one meaning, and all declines and doubts are tested here")
    func complete() {
        let known = ReasonCodes.codes.filter {
            switch ReasonCodes.meaning($0) {
            case .decline, .doubt: true
            case .rejection, .state, nil: false
            }
        }
        #expect(known == (Self.categories.map(\.code) + Self.doubts).sorted())
    }

    @Test(
        "of calls that were not carried out are refusals only where that is promised",
        arguments: [
            ("E00001", .unknown), ("E00002", .rejected(.configuration)), ("E00003", .rejected(.configuration)),
            ("E00007", .rejected(.configuration)), ("E00013", .rejected(.configuration)), ("E00027", .unknown),
            ("E00053", .unknown), ("E00104", .unknown), ("E00114", .rejected(.configuration)), ("E99999", .unknown),
        ] as [(String, Expectation)]
    )
    func callErrors(code: String, expectation: Expectation) throws {
        let reply = AuthorizeNetLookTests.json([
            "messages": ["resultCode": "Error", "message": [["code": .string(code), "text": "…"]]]
        ])
        for operation in [SampleOperation.capture, .void, .refund] {
            let outcome = try AuthorizeNetSample.outcome(of: AuthorizeNetSample.call(operation), after: [reply])
            #expect(Expectation(outcome) == expectation)
        }
        let inquiry = try AuthorizeNetSample.call(.inquireCapture)
        #expect(Expectation(try AuthorizeNetSample.outcome(of: inquiry, after: [reply])) == .unknown)
    }
}
