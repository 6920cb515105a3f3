import StrictJSON
import Synchronization

/// What `instruction.customerAgreement` says of a payment: the first with a card that is stored, or a later one.
struct WorldpayAgreement: Sendable {
    private static let path = "$.instruction.customerAgreement"
    private static let instrument = "$.instruction.paymentInstrument"

    /// Whether it is the first payment, after which others follow.
    let isFirst: Bool
    private let isMerchants: Bool
    private let schemeReference: String?
    private let hasCryptogram: Bool

    /// Reads an instruction that is otherwise as it should be.
    ///
    /// - Throws: ``Refusal`` if the type and the use do not fit.
    init(_ instruction: JSON) throws(Refusal) {
        let agreement = instruction["customerAgreement"]
        let type = agreement?["type"]?.stringValue
        let use = agreement?["storedCardUsage"]?.stringValue
        schemeReference = agreement?["schemeReference"]?.stringValue
        hasCryptogram = instruction["paymentInstrument"]?["cryptogram"] != nil
        isFirst = use == "first"
        isMerchants = type == "unscheduled" || type != "cardOnFile" && use == "subsequent"
        switch (type, use) {
        case ("unscheduled", .some): throw WorldpayField.violation("fieldIsNotAllowed", Self.path + ".storedCardUsage")
        case ("unscheduled", nil), (nil, _), (_, .some): break
        default: throw WorldpayField.violation("fieldIsMissing", Self.path + ".storedCardUsage")
        }
        if isFirst, schemeReference != nil {
            throw WorldpayField.violation("fieldIsNotAllowed", Self.path + ".schemeReference")
        }
    }

    /// Whether the merchant initiates the payment, which has no cryptogram and follows a first one with the same card.
    ///
    /// - Throws: ``Refusal``.
    func check(
        _ instrument: WorldpayInstrument,
        _ firsts: WorldpayFirstPayments,
        _ account: String
    ) throws(Refusal) -> Bool {
        guard isMerchants else { return false }
        guard !hasCryptogram else {
            throw WorldpayField.violation("fieldIsNotAllowed", Self.instrument + ".cryptogram")
        }
        guard let schemeReference else {
            throw WorldpayField.violation("fieldIsMissing", Self.path + ".schemeReference")
        }
        guard let last4 = firsts.last4(of: schemeReference, at: account) else {
            throw WorldpayField.violation("fieldHasInvalidValue", Self.path + ".schemeReference")
        }
        guard instrument.method.last4 == last4 else {
            throw WorldpayField.violation("fieldHasInvalidValue", Self.instrument + ".number")
        }
        return true
    }
}

/// The first payments that others follow, by the scheme's reference; they are forgotten at a restart.
final class WorldpayFirstPayments: Sendable {
    private let known = Mutex<[String: String]>([:])

    /// Notes a payment that was authorized.
    func note(_ authorization: Authorization) {
        guard authorization.authorized > 0 else { return }
        let name = Self.name(WorldpayDocument.schemeReference(authorization), authorization.account)
        known.withLock { $0[name] = authorization.command.method.last4 }
    }

    /// The last digits of what paid first; nil if there was no such payment.
    func last4(of schemeReference: String, at account: String) -> String? {
        known.withLock { $0[Self.name(schemeReference, account)] }
    }

    private static func name(_ schemeReference: String, _ account: String) -> String { "\(account) \(schemeReference)" }
}
