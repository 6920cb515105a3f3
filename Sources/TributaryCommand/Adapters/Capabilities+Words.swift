import AdapterKit
import Domain
import Gateway

/// What an adapter declares, under one name and in words.
struct Declared: Hashable {
    /// What it is about, in snake case.
    let name: String
    /// What is declared.
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension PSPDirectory.PSP {
    /// Everything that it declares, in the order in which a payment meets it.
    func declaration(named name: String) -> [Declared] {
        [Declared("psp", name)] + capabilities.inShort + capabilities.times + [
            Declared("paid_without_merchant_account", capabilities.payees.withoutMerchantAccount.words),
            Declared("paid_if_settled_to_marketplace", capabilities.payees.toMarketplace.words),
            Declared("paid_if_settled_to_merchant", capabilities.payees.toMerchant.words),
            Declared("undo_by_reference", capabilities.undoByReference ? "yes" : "no"),
            Declared("release_after_capture", capabilities.releaseAfterCapture ? "yes" : "no"),
            Declared("webhooks", hearsWebhooks ? "yes" : "no"),
            Declared("currencies_not_taken", Self.list(capabilities.exponents.filter { $0.value == nil }.map(\.key))),
            Declared("other_minor_units", Self.list(capabilities.ownUnits)),
        ]
    }

    private static func list(_ words: [String]) -> String {
        words.isEmpty ? "none" : words.sorted().joined(separator: ", ")
    }
}

extension Capabilities {
    /// What matters when a route is chosen.
    var inShort: [Declared] {
        [
            Declared("credentials", credentials.map(\.rawValue).sorted().joined(separator: ", ")),
            Declared("capture", captures), Declared("refund", refunds),
            Declared("asynchronous", actions), Declared("idempotency", idempotency.words),
            Declared("inquiry", inquiry.words), Declared("application_fee", applicationFee ? "yes" : "no"),
        ]
    }

    /// How long things take.
    fileprivate var times: [Declared] {
        [
            Declared("authorization_life", Self.words(authorizationLifeMilliseconds)),
            Declared("pending_poll", Self.words(pendingPollMilliseconds)),
            Declared("expected_within", Self.words(expectedWithinMilliseconds)),
        ]
    }

    /// Currencies whose minor unit at this PSP is declared apart from ISO 4217, with the exponent.
    fileprivate var ownUnits: [String] {
        exponents.compactMap { code, exponent in exponent.map { "\(code) \($0)" } }
    }

    private var captures: String {
        let kinds = [(saleInOneCall, "one call"), (partialCapture, "partial"), (multipleCapture, "several")]
        let words = kinds.filter(\.0).map(\.1)
        return words.isEmpty ? "whole" : words.joined(separator: ", ")
    }

    private var refunds: String {
        (partialRefund ? "partial" : "whole") + (refundBeforeSettlement ? "" : ", once settled")
    }

    private var actions: String {
        asynchronous.isEmpty ? "none" : asynchronous.map(\.rawValue).sorted().joined(separator: ", ")
    }

    /// A span in the largest unit that says it exactly.
    static func words(_ milliseconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")]
        guard let unit = units.first(where: { milliseconds >= $0.0 && milliseconds % $0.0 == 0 }) else {
            return "\(milliseconds) ms"
        }
        return "\(milliseconds / unit.0) \(unit.1)"
    }
}

extension Payees.Payee {
    fileprivate var words: String {
        switch self {
        case .marketplace: "the marketplace"
        case .merchant: "the merchant"
        case .byContract: "whoever owns the account named"
        case .nobody: "nobody: refused"
        }
    }
}

extension Capabilities.Idempotency {
    fileprivate var words: String {
        switch self {
        case .key(let retention, let keeps): "key, \(Capabilities.words(retention)), keeps \(keeps)"
        case .none: "none"
        }
    }
}

extension Capabilities.Inquiry {
    fileprivate var words: String {
        switch self {
        case .byReference(let delay): delay == 0 ? "our reference" : "our reference, after \(Capabilities.words(delay))"
        case .byPSPReference: "its reference"
        case .none: "none"
        }
    }
}
