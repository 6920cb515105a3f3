import AdapterKit
import Domain
import StrictJSON

/// Writes the requests of one account.
///
/// The API is XML underneath: members stand in the order of Authorize.Net's schema, or the request is refused.
struct AuthorizeNetRequests: Sendable {
    let url: String
    let login: Secret
    let transactionKey: Secret

    /// How long Authorize.Net refuses a transaction that looks like an earlier one, in seconds: its longest, 8 hours.
    ///
    /// Only a guard against a request that the network repeats: the invoice number is part of the comparison, and is
    /// ours for one attempt alone.
    static let duplicateWindowSeconds = 28_800

    /// Holds the amount, or takes it in one call.
    func authorize(_ payment: PaymentField, _ authorization: Call.Authorization, for call: Call) -> WireRequest {
        let type = authorization.capture ? "authCaptureTransaction" : "authOnlyTransaction"
        let transaction = JSON.object(omittingAbsent: [
            "transactionType": .string(type),
            "amount": .string(call.money.decimal),
            "currencyCode": .string(call.money.currency.code),
            "payment": payment.name == "payment" ? payment.json : .none,
            "profile": payment.name == "profile" ? payment.json : .none,
            "order": .object(omittingAbsent: [
                "invoiceNumber": .string(ShortName(call.attempt).text),
                "description": authorization.description.map { .string(Self.description($0)) },
            ]),
            "transactionSettings": Self.settings([
                ("allowPartialAuth", "false"), ("duplicateWindow", "\(Self.duplicateWindowSeconds)"),
            ]),
        ])
        return create(transaction, for: call)
    }

    /// Takes the amount of an authorization, once; the rest is released.
    func capture(_ payment: String, for call: Call) -> WireRequest {
        let transaction: JSON = [
            "transactionType": "priorAuthCaptureTransaction", "amount": .string(call.money.decimal),
            "refTransId": .string(payment),
        ]
        return create(transaction, for: call)
    }

    /// Cancels a transaction that has not settled, captured or not.
    func void(_ payment: String, for call: Call) -> WireRequest {
        create(["transactionType": "voidTransaction", "refTransId": .string(payment)], for: call)
    }

    /// Gives back an amount of a settled transaction.
    ///
    /// The check for duplicates keeps its two minutes: one that was refused because nothing has settled yet is sent
    /// again, with the same names.
    func refund(_ payment: String, last4: String, for call: Call) -> WireRequest {
        let transaction: JSON = [
            "transactionType": "refundTransaction", "amount": .string(call.money.decimal),
            "payment": PaymentField(last4: last4).json, "refTransId": .string(payment),
            "order": ["invoiceNumber": .string(ShortName(call.operation).text)],
        ]
        return create(transaction, for: call)
    }

    /// Reads a transaction.
    func details(of payment: String, for call: Call) -> WireRequest {
        request("getTransactionDetailsRequest", [("transId", .string(payment))], for: call)
    }

    /// Reads one page of a search.
    func list(_ page: TransactionSearch.Page, for call: Call) -> WireRequest {
        switch page {
        case .unsettled(let number):
            request("getUnsettledTransactionListRequest", Self.newestFirst(page: number), for: call)
        case .batches(let first, let last):
            request(
                "getSettledBatchListRequest",
                [
                    ("firstSettlementDate", .string(first.description)),
                    ("lastSettlementDate", .string(last.description)),
                ],
                for: call
            )
        case .batch(let id, let number):
            request(
                "getTransactionListRequest",
                [("batchId", .string(id))] + Self.newestFirst(page: number),
                for: call
            )
        }
    }

    private func create(_ transaction: JSON, for call: Call) -> WireRequest {
        request("createTransactionRequest", [("transactionRequest", transaction)], for: call, canMoveMoney: true)
    }

    /// A request under the operation's name, which the reply repeats.
    private func request(
        _ name: String,
        _ members: [(String, JSON)],
        for call: Call,
        canMoveMoney: Bool = false
    ) -> WireRequest {
        let authentication: JSON = [
            "name": .string(login.reveal()), "transactionKey": .string(transactionKey.reveal()),
        ]
        let own = [("merchantAuthentication", authentication), ("refId", .string(ShortName(call.operation).text))]
        let body = (own + members).map { JSON.Member($0, $1) }
        return WireRequest(
            .post,
            url,
            headers: [Header("Content-Type", "application/json")],
            body: JSON.object([JSON.Member(name, .object(body))]).bytes,
            canMoveMoney: canMoveMoney
        )
    }

    private static func settings(_ pairs: [(String, String)]) -> JSON {
        let settings = pairs.map { name, value -> JSON in
            ["settingName": .string(name), "settingValue": .string(value)]
        }
        return ["setting": .array(settings)]
    }

    private static func newestFirst(page: Int) -> [(String, JSON)] {
        [
            ("sorting", ["orderBy": "submitTimeUTC", "orderDescending": true]),
            ("paging", ["limit": .integer(Int64(TransactionSearch.pageSize)), "offset": .integer(Int64(page))]),
        ]
    }

    /// The schema allows 255 characters.
    private static func description(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(255)))
    }
}
