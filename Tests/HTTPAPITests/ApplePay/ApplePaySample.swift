import HTTPAPI
import StrictJSON

/// A sound request, and ways to spoil it.
enum ApplePaySample {
    static let request: JSON = [
        "countryCode": "US", "currencyCode": "USD", "merchantCapabilities": ["supports3DS"],
        "supportedNetworks": ["visa", "masterCard"], "total": ["label": "Travel Now", "amount": "500.00"],
    ]

    /// Contexts of the amounts given, for merchants a, b and so on.
    static func contexts(_ amounts: [String]) -> JSON {
        .array(
            zip("abcdefgh", amounts).map { name, amount in
                [
                    "merchantIdentifier": "merchant.example", "externalIdentifier": .string("\(name)-1"),
                    "merchantName": .string("Shop \(name)"), "amount": .string(amount),
                ]
            }
        )
    }

    /// The sound request with contexts that sum to its total.
    static let divided = setting(request, "multiTokenContexts", contexts(["300.00", "150.00", "50"]))

    static let item: JSON = ["label": "Plan", "amount": "9.99", "paymentTiming": "recurring"]

    static let recurring: JSON = [
        "paymentDescription": "A plan", "regularBilling": item, "managementURL": "https://shop.example/manage",
    ]

    static let automaticReload: JSON = [
        "paymentDescription": "A card", "managementURL": "https://shop.example/manage",
        "automaticReloadBilling": [
            "label": "Reload", "amount": "10", "paymentTiming": "automaticReload",
            "automaticReloadPaymentThresholdAmount": "5.00",
        ],
    ]

    static let deferred: JSON = [
        "paymentDescription": "A stay", "managementURL": "https://shop.example/manage",
        "deferredBilling": [
            "label": "Stay", "amount": "100", "paymentTiming": "deferred",
            "deferredPaymentDate": "2026-12-24T00:00:00.000Z",
        ],
    ]

    /// The document with the value at a dotted path replaced, added, or removed if it is nil.
    static func setting(_ document: JSON, _ path: String, _ value: JSON?) -> JSON {
        setting(document, path.split(separator: ".").map(String.init)[...], value)
    }

    private static func setting(_ document: JSON, _ path: ArraySlice<String>, _ value: JSON?) -> JSON {
        guard let key = path.first else { return document }
        let inner = { (old: JSON?) in path.count == 1 ? value : setting(old ?? [:], path.dropFirst(), value) }
        switch document {
        case .array(var elements):
            guard let index = Int(key), let element = inner(elements[index]) else { return document }
            elements[index] = element
            return .array(elements)
        case .object(var members):
            let index = members.firstIndex { $0.key == key }
            let member = inner(index.map { members[$0].value }).map { JSON.Member(key, $0) }
            guard let index else { return .object(members + [member].compactMap(\.self)) }
            members.replaceSubrange(index...index, with: [member].compactMap(\.self))
            return .object(members)
        default: return document
        }
    }

    /// Pointer and code of every error, then of every warning.
    static func findings(_ request: JSON, strict: Bool = false) -> (errors: [String], warnings: [String]) {
        let found = ApplePayRequestValidation.violations(in: request, strict: strict)
        return (
            found.errors.map { "\($0.pointer) \($0.code)" }, found.warnings.map { "\($0.pointer) \($0.code)" }
        )
    }
}
