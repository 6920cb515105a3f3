import AdapterKit
package import Domain
import StrictJSON
import WireFormats

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
        let buyer = AuthorizeNetBuyer(
            of: authorization,
            in: call.money.currency,
            isProfile: payment.name == "profile"
        )
        let terms = AuthorizeNetTerms(authorization.initiation)
        let noMail = buyer.hasEmail ? [("emailCustomer", "false")] : []
        let transaction = JSON.object(omittingAbsent: [
            "transactionType": .string(type),
            "amount": .string(call.money.decimal),
            "currencyCode": .string(call.money.currency.code),
            "payment": payment.name == "payment" ? payment.json : .none,
            "profile": payment.name == "profile" ? payment.json : terms.profile,
            "order": .object(omittingAbsent: [
                "invoiceNumber": .string(ShortName(call.attempt).text),
                "description": authorization.description.map { .string(Self.description($0)) },
            ]),
            "lineItems": buyer.lineItems,
            "customer": buyer.customer(named: terms.customer),
            "billTo": buyer.billTo,
            "shipTo": buyer.shipTo,
            "customerIP": buyer.ip,
            "transactionSettings": Self.settings(
                [("allowPartialAuth", "false"), ("duplicateWindow", "\(Self.duplicateWindowSeconds)")] + noMail
            ),
            "processingOptions": terms.options,
            "subsequentAuthInformation": terms.information,
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

    /// Reads the profile of the customer that an agreement is called by.
    func profile(of agreement: AgreementID, for call: Call) -> WireRequest {
        request(
            "getCustomerProfileRequest",
            [("merchantCustomerId", .string(ShortName(agreement).text))],
            for: call
        )
    }

    /// Deletes a payment profile of a customer's.
    func forget(_ profile: String, of customer: String, for agreement: AgreementID) -> WireRequest {
        request(
            "deleteCustomerPaymentProfileRequest",
            [("customerProfileId", .string(customer)), ("customerPaymentProfileId", .string(profile))],
            reference: ShortName(agreement).text
        )
    }

    /// Reads a transaction.
    func details(of payment: String, for call: Call) -> WireRequest {
        request("getTransactionDetailsRequest", [("transId", .string(payment))], for: call)
    }

    /// Reads one page of a search.
    func list(_ page: TransactionSearch.Page, for call: Call) -> WireRequest {
        list(page, reference: ShortName(call.operation).text)
    }

    /// Reads one page, under a name that the reply repeats, or none.
    func list(_ page: TransactionSearch.Page, reference: String?) -> WireRequest {
        switch page {
        case .unsettled(let number):
            request("getUnsettledTransactionListRequest", Self.newestFirst(page: number), reference: reference)
        case .batches(let first, let last):
            request(
                "getSettledBatchListRequest",
                [
                    ("firstSettlementDate", .string(first.description)),
                    ("lastSettlementDate", .string(last.description)),
                ],
                reference: reference
            )
        case .batch(let id, let number):
            request(
                "getTransactionListRequest",
                [("batchId", .string(id))] + Self.newestFirst(page: number),
                reference: reference
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
        request(name, members, reference: ShortName(call.operation).text, canMoveMoney: canMoveMoney)
    }

    /// A request under a name, which the reply repeats, or under none.
    private func request(
        _ name: String,
        _ members: [(String, JSON)],
        reference: String?,
        canMoveMoney: Bool = false
    ) -> WireRequest {
        let authentication: JSON = [
            "name": .string(login.reveal()), "transactionKey": .string(transactionKey.reveal()),
        ]
        let own =
            [("merchantAuthentication", authentication)] + (reference.map { [("refId", JSON.string($0))] } ?? [])
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

/// The element `payment` of a transaction that takes money, or `profile` in its place.
///
/// Source: Authorize.Net's schema for names, order and lengths; public code that runs against it for the descriptors,
/// for the base 64 of Apple's `paymentData`, and for network tokens.
struct PaymentField {
    /// `payment`, or `profile` for a stored payment profile of a customer's.
    var name = "payment"
    let json: JSON

    /// Writes a credential; nil for a token's number of more than 16 digits, which the schema has no room for, and for a
    /// profile that is not named by two numbers.
    ///
    /// The indicator of a network token is not sent: the schema's `tokenRequestorEci` is for Chase Pay only.
    init?(_ credential: Credential) {
        switch credential {
        case .pspToken(let token, let customer?):
            let (customer, profile) = (customer.reveal(), token.reveal())
            guard CardDigits.areDigits(customer), CardDigits.areDigits(profile) else { return nil }
            name = "profile"
            json = [
                "customerProfileId": .string(customer), "paymentProfile": ["paymentProfileId": .string(profile)],
            ]
        case .pspToken(let token, nil):
            json = Self.opaque("COMMON.ACCEPT.INAPP.PAYMENT", token.reveal())
        case .storedNetworkToken: return nil
        case .encryptedApplePay(let token):
            json = Self.opaque("COMMON.APPLE.INAPP.PAYMENT", Base64.encode(Array(token.paymentData.reveal().utf8)))
        case .networkToken(let token):
            let number = token.number.reveal()
            guard number.utf8.count <= 16 else { return nil }
            let month = token.expiryMonth < 10 ? "0\(token.expiryMonth)" : "\(token.expiryMonth)"
            json = [
                "creditCard": [
                    "cardNumber": .string(number), "expirationDate": .string("\(token.expiryYear)-\(month)"),
                    "isPaymentToken": true, "cryptogram": .string(token.cryptogram.reveal()),
                ]
            ]
        }
    }

    /// The card of a refund, by the last digits of its number; its expiry is masked.
    init(last4: String) {
        json = ["creditCard": ["cardNumber": .string(last4), "expirationDate": "XXXX"]]
    }

    private static func opaque(_ descriptor: String, _ value: String) -> JSON {
        ["opaqueData": ["dataDescriptor": .string(descriptor), "dataValue": .string(value)]]
    }
}

/// An identifier of ours in the 20 letters and digits that `refId` and `invoiceNumber` hold.
///
/// Nothing is lost of an identifier as the gateway makes them: of UUIDv7's 128 bits (RFC 9562) six are fixed and the
/// first four of the time are zero until the year 2527. What is left, and a bit that tells operations from attempts,
/// makes 119 bits or 20 digits of base 62. An identifier that is no UUIDv7 keeps its last 19 digits behind a `z`, which
/// no other short name starts with; it cannot be read back.
///
/// Lengths: Authorize.Net's schema; letters and digits only: its reference of `invoiceNumber` ("no symbols").
package struct ShortName: Hashable, Sendable, CustomStringConvertible {
    /// The 20 characters.
    package let text: String

    /// The name of an attempt.
    package init(_ attempt: AttemptID) { text = Self.text(of: attempt.text, isOperation: false) }

    /// The name of an operation.
    package init(_ operation: OperationID) { text = Self.text(of: operation.text, isOperation: true) }

    /// The name of an agreement, which is read back by nobody.
    package init(_ agreement: AgreementID) { text = Self.text(of: agreement.text, isOperation: true) }

    /// The text.
    package var description: String { text }

    /// The attempt of that name; nil if it is the name of none.
    package static func attempt(_ text: String) -> AttemptID? {
        identifier(text, isOperation: false).flatMap { AttemptID("att_\($0)") }
    }

    /// The operation of that name; nil if it is the name of none.
    package static func operation(_ text: String) -> OperationID? {
        identifier(text, isOperation: true).flatMap { OperationID("op_\($0)") }
    }

    /// When an identifier was made, to the millisecond: the first 48 bits of a UUIDv7.
    static func moment(of identifier: String) -> Timestamp {
        let milliseconds = Int64(truncatingIfNeeded: value(of: identifier) >> 80)
        return Timestamp(microseconds: milliseconds * 1000)
    }

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let crockford = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let length = 20
    /// Version 7 in bits 76 to 79, variant 2 in bits 62 and 63.
    private static let fixedBits: UInt128 = 7 << 76 | 2 << 62
    private static let fixedMask: UInt128 = 15 << 76 | 3 << 62

    private static func text(of identifier: String, isOperation: Bool) -> String {
        let value = value(of: identifier)
        guard value & fixedMask == fixedBits, value >> 124 == 0 else { return "z" + identifier.suffix(length - 1) }
        let time = value >> 80
        let counter = value >> 64 & 0xFFF
        let random = value & (1 << 62 - 1)
        let flag: UInt128 = isOperation ? 1 << 118 : 0
        return base62(flag | time << 74 | counter << 62 | random)
    }

    /// The 26 digits behind the prefix of an identifier.
    private static func identifier(_ text: String, isOperation: Bool) -> Substring? {
        guard let packed = packed(text), (packed >> 118 == 1) == isOperation else { return nil }
        let time = packed >> 74 & (1 << 44 - 1)
        let counter = packed >> 62 & 0xFFF
        let random = packed & (1 << 62 - 1)
        let value = time << 80 | counter << 64 | random | fixedBits
        let digits = (0..<26).map { crockford[Int(value >> (UInt128(25 - $0) * 5) & 31)] }
        return String(decoding: digits, as: UTF8.self)[...]
    }

    private static func value(of identifier: String) -> UInt128 {
        identifier.utf8.suffix(26).reduce(0) { $0 << 5 | UInt128(crockford.firstIndex(of: $1) ?? 0) }
    }

    private static func base62(_ value: UInt128) -> String {
        var rest = value
        var text: [UInt8] = []
        for _ in 0..<length {
            text.append(digits[Int(rest % 62)])
            rest /= 62
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    private static func packed(_ text: String) -> UInt128? {
        guard text.utf8.count == length else { return nil }
        var value: UInt128 = 0
        for byte in text.utf8 {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            value = value * 62 + UInt128(digit)
        }
        return value >> 119 == 0 ? value : nil
    }
}
