import HTTPTransport
import StrictJSON
import WireFormats

/// Adyen's Checkout API, versions 71 and 72, and its standard webhooks.
///
/// Written from Adyen's OpenAPI description and pages, apart from the adapter, so that the two check each other. The
/// account captures at once unless a request says otherwise; captures, cancellations and refunds are answered
/// `received` and told of by webhook when they are done, or were not possible.
package struct AdyenDialect: PSPDialect {
    private let methods = StoredMethods()

    /// Makes the dialect.
    package init() {}

    package let serverError = Self.error(500, "000", "An internal error occurred.", "internal")

    package var routes: [DialectRoute] {
        let vault = AdyenVault(methods: methods)
        return ["", "checkout/"].flatMap { prefix -> [DialectRoute] in
            let stored = prefix + ":version/storedPaymentMethods"
            return [
                DialectRoute(.post, prefix + ":version/payments", vault.pay),
                DialectRoute(.get, stored, vault.list),
                DialectRoute(.delete, stored + "/:method", vault.forget),
                DialectRoute(.post, prefix + ":version/payments/:reference/captures") { request throws(Refusal) in
                    try AdyenPayments.amountChange(.capture, request)
                },
                DialectRoute(.post, prefix + ":version/payments/:reference/refunds") { request throws(Refusal) in
                    try AdyenPayments.amountChange(.refund, request)
                },
                DialectRoute(.post, prefix + ":version/payments/:reference/cancels") { request throws(Refusal) in
                    try AdyenPayments.undo(isReversal: false, request)
                },
                DialectRoute(.post, prefix + ":version/payments/:reference/reversals") { request throws(Refusal) in
                    try AdyenPayments.undo(isReversal: true, request)
                },
                DialectRoute(.post, prefix + ":version/cancels", AdyenPayments.cancelByReference),
            ]
        }
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        if refusal == .notFound, request.path.hasSuffix("/cancels"), let answer = Self.cancelOfNothing(request) {
            return answer
        }
        let validation = "validation"
        return switch refusal {
        case .unauthorized: Self.error(401, "000", "HTTP Status Response - Unauthorized", "security")
        case .notFound: Self.error(422, "167", "Original pspReference required for this operation", validation)
        case .keyMismatch: Self.error(422, "704", "request already processed or in progress", validation)
        case .configuration: Self.error(403, "010", "Not allowed", "security")
        case .unsupported: Self.error(422, "905_1", refusal.message, "configuration")
        case .amountTooLarge: Self.error(422, "137", "Invalid amount specified", validation)
        case .tooLarge: Self.error(413, "702", refusal.message, validation)
        default:
            switch refusal.code {
            case "invalid_token": Self.error(422, "800", "Contract not found", validation)
            case "901": Self.error(403, "901", refusal.message, "security")
            case let code where code.first?.isNumber == true:
                Self.error(refusal.status, code, refusal.message, validation)
            default: Self.error(422, "702", refusal.message, validation)
            }
        }
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] { AdyenEvents.notices(of: event) }

    /// Pairs of hexadecimal digits.
    package func accepts(secret: String) -> Bool { Hexadecimal.decode(secret)?.isEmpty == false }

    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        WebhookPost(
            headers: [HTTPHeader("Content-Type", "application/json; charset=utf-8")],
            body: AdyenEvents.signed(notice.document, with: endpoint.secret)
        )
    }

    /// Adyen takes a cancellation by reference before it looks for the payment.
    private static func cancelOfNothing(_ request: PSPRequest) -> PSPReply? {
        guard let json = try? request.json(), let reference = json["paymentReference"]?.stringValue,
            let account = json["merchantAccount"]?.stringValue
        else { return nil }
        let nothing = PSPNumber(instance: "0", authorization: Int(SimulatorClock.system() % 78_364_164_096))
        let name = nothing.authorizationIdentifier
        return AdyenPayments.reply(201, AdyenDocument.cancellation(name, of: reference, account), to: request)
    }

    private static func error(_ status: Int, _ code: String, _ message: String, _ type: String) -> PSPReply {
        PSPReply(
            status,
            [
                "status": .integer(Int64(status)), "errorCode": .string(code), "message": .string(message),
                "errorType": .string(type),
            ]
        )
    }
}

/// Adyen's `pspReference`: 16 characters, of a payment and of each of its modifications.
///
/// It is the books' number in base 36: seven digits for the books, seven for the payment, two for the modification.
enum AdyenReference {
    /// What Adyen calls something with one of the books' identifiers.
    static func text(_ identifier: String) -> String {
        guard let number = PSPNumber(identifier) else { return identifier }
        let parts = [
            (number.instance, 7), (String(number.authorization, radix: 36), 7),
            (String(number.operation ?? 0, radix: 36), 2),
        ]
        return parts.map { digits, width in
            String(repeating: "0", count: max(0, width - digits.count)) + digits.uppercased()
        }.joined()
    }

    /// What Adyen calls a dispute: a `D` and its number in place of a modification's.
    static func text(dispute identifier: String) -> String {
        guard let number = PSPNumber(identifier), let dispute = number.operation else { return identifier }
        return text(number.authorizationIdentifier).dropLast(2) + "D" + String(dispute % 36, radix: 36).uppercased()
    }

    /// The books' identifier of a payment that Adyen calls so; nil if nothing is called so.
    static func payment(_ text: String) -> String? {
        guard text.utf8.count == 16, text.hasSuffix("00"), text == text.uppercased() else { return nil }
        let instance = text.prefix(7).drop { $0 == "0" }
        guard let authorization = Int(text.dropFirst(7).prefix(7), radix: 36), authorization > 0 else { return nil }
        return PSPNumber(
            instance: instance.isEmpty ? "0" : instance.lowercased(),
            authorization: authorization
        ).authorizationIdentifier
    }
}
