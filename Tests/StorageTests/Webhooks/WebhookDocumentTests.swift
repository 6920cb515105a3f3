import Domain
import SQL
import Storage
import Testing

@Suite("What a PSP told, as it is kept")
struct WebhookDocumentTests {
    private static let time = Timestamp(microseconds: 1_800_000_000_123_456)

    private static let outcomes: [Outcome] = [
        .succeeded(Success(reference: nil, amount: 0)),
        .succeeded(
            Success(
                reference: "pi_1",
                amount: .max,
                capturedAmount: 7,
                expiresAt: time,
                network: "visa",
                last4: "4242",
                state: "{\"v\":1}"
            )
        ),
        capture(isFinal: true), capture(isFinal: false),
        .pending(Progress(reference: nil)), .pending(Progress(reference: "r", state: "s")),
        .actionRequired(NextAction(kind: .client, data: "secret"), Progress(reference: "r", state: "s")),
        .actionRequired(
            NextAction(kind: .redirect, url: "https://bank.example/?a=1&b=\"ü\"", expiresAt: time),
            Progress(reference: nil)
        ),
        .notSent(reason: "never left"), .unknown(reason: ""),
    ]

    private static func capture(isFinal: Bool) -> Outcome {
        var success = Success(reference: "cap_1", amount: 300)
        success.isFinal = isFinal
        return .succeeded(success)
    }

    private static let declines = Decline.Category.allCases.map {
        Outcome.declined(Decline(code: "c-\($0.rawValue)", category: $0, message: "no,\nno"))
    }

    private static let rejections = Rejection.Reason.allCases.map {
        Rejection($0, code: "c-\($0.rawValue)", message: "m")
    }

    private static let disputes = DisputeNotice.State.allCases.flatMap { state in
        [
            DisputeNotice(state: state, amount: 1),
            DisputeNotice(state: state, amount: 2, disputed: 5, reason: "fraudulent", respondBy: time, fee: 3),
        ]
    }

    /// Every case of what can happen, with every word that it can be said in.
    static let happenings: [Notice.Happening] = {
        var all: [Notice.Happening] = [.lapsed]
        let said = outcomes + declines + rejections.map(Outcome.rejected)
        for action in Notice.Action.allCases {
            all += said.map { .outcome(action, $0) }
            all += rejections.map { .reversed(action, $0) }
        }
        return all + disputes.map { .dispute($0) }
    }()

    @Test("has nothing of a dispute that no sample says")
    func fields() throws {
        let whole = try #require(Self.disputes.last)
        let unsaid = Mirror(reflecting: whole).children.filter { child in
            let value = Mirror(reflecting: child.value)
            return value.displayStyle == .optional && value.children.isEmpty
        }
        #expect(unsaid.map(\.label) == [])
    }

    @Test("comes back as it was, whatever it says", arguments: happenings)
    func roundTrip(_ happening: Notice.Happening) throws {
        let document = WebhookDocument(
            merchantAccount: .merchant("acct_1"),
            currency: Currency(code: "KWD"),
            notices: [Notice(about: .init(payment: "pi_1"), happening, at: Self.time)]
        )
        #expect(try WebhookDocument(text: document.text) == document)
    }

    @Test(
        "keeps every name, and that a name is not there",
        arguments: [
            Notice.Subject(), .init(attempt: "a"), .init(operation: "o"), .init(payment: "p"), .init(object: "x"),
            .init(attempt: "a", operation: "o", payment: "p", object: "x", amount: 1, isOthers: true),
        ]
    )
    func names(_ subject: Notice.Subject) throws {
        let document = WebhookDocument(notices: [Notice(about: subject, .lapsed), Notice(about: subject, .lapsed)])
        #expect(try WebhookDocument(text: document.text) == document)
    }

    @Test(
        "keeps at whose account it was, and that the PSP does not say",
        arguments: [NoticeAccount.merchant("acct_1"), .platform(), .platform("ent_own"), .unsaid]
    )
    func accounts(_ account: NoticeAccount) throws {
        let document = WebhookDocument(merchantAccount: account, notices: [Notice(about: .init(payment: "p"), .lapsed)])
        #expect(try WebhookDocument(text: document.text) == document)
    }

    @Test("is read as an earlier build kept it, whose word for no account was none at all")
    func old() throws {
        let named = try WebhookDocument(text: #"{"merchant_account":"acct_1","currency":"USD","notices":[]}"#)
        #expect(named.merchantAccount == .merchant("acct_1"))
        #expect(try WebhookDocument(text: #"{"currency":"USD","notices":[]}"#).merchantAccount == .unsaid)
    }

    @Test("keeps an event without notices, and why one cannot be read")
    func empty() throws {
        #expect(try WebhookDocument(text: WebhookDocument().text) == WebhookDocument())
        let problem = WebhookDocument(merchantAccount: .merchant("a"), problem: "charge.captured: no amount")
        #expect(try WebhookDocument(text: problem.text) == problem)
    }

    @Test(
        "refuses what it does not write",
        arguments: [
            "", "[]", "{}", #"{"notices":{}}"#, #"{"notices":[],"currency":"XXX"}"#, #"{"notices":[{}]}"#,
            #"{"notices":[{"happening":"seen"}]}"#, #"{"notices":[{"happening":"outcome","action":"capture"}]}"#,
            #"{"notices":[{"happening":"outcome","action":"steal","outcome":{"is":"unknown","reason":""}}]}"#,
            #"{"notices":[{"happening":"outcome","action":"capture","outcome":{"is":"succeeded"}}]}"#,
            #"{"notices":[{"happening":"outcome","action":"capture","outcome":{"is":"declined","code":"x"}}]}"#,
            #"{"notices":[{"happening":"reversed","action":"refund","rejection":{"reason":"mood"}}]}"#,
            #"{"notices":[{"happening":"dispute","dispute":{"state":"drawn","amount":1}}]}"#,
        ]
    )
    func refusals(_ text: String) {
        #expect(throws: SQLError.unexpectedValue(column: "document")) { try WebhookDocument(text: text) }
    }
}
