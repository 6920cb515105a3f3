package import Domain
package import StrictJSON
import WireFormats

/// The rules of a whole request.
struct ApplePayRequestRules {
    /// The most a sheet takes, in hundredths of the currency's major unit (WebKit's limit of 100,000,000).
    static let greatestTotal: Int64 = 100_000_000 * 100

    /// The first version of Apple Pay on the web that knows token contexts.
    static let firstVersionWithContexts: Int64 = 14

    let body: ObjectReader
    let warnings: Violations
    let now: Timestamp?

    func check() {
        checkCountries()
        let currency = body.parsed("currencyCode", expecting: "a currency of ISO 4217", Currency.init(code:))
        checkCapabilitiesAndNetworks()
        let items = ApplePayLineItemRules(currency: currency)
        let total = body.object("total") { items.check($0) }
        if let total { checkRange(of: total) }
        _ = body.array("lineItems", .optional, count: 0...1000) { items.check($0) }
        checkShipping(currency)
        checkPlainFields()
        checkKinds()
        ApplePayContextRules(body: body, warnings: warnings, currency: currency).check(total: total)
        let schedules = ApplePayScheduleRules(items: items, now: now)
        _ = body.object("recurringPaymentRequest", .optional) { schedules.checkRecurring($0) }
        _ = body.object("automaticReloadPaymentRequest", .optional) { schedules.checkAutomaticReload($0) }
        _ = body.object("deferredPaymentRequest", .optional) { schedules.checkDeferred($0) }
    }

    private func checkCountries() {
        let expected = "an ISO 3166-1 alpha-2 code"
        _ = body.parsed("countryCode", expecting: expected) { CountryCode.all.contains($0) ? $0 : nil }
        _ = body.strings("supportedCountries", .optional, count: 0...300, expecting: expected) {
            CountryCode.all.contains($0) ? $0 : nil
        }
    }

    private func checkCapabilitiesAndNetworks() {
        let capabilities = body.strings("merchantCapabilities", count: 1...20)
        let networks = body.strings("supportedNetworks", count: 1...100)
        warnOfUnknown(capabilities, in: "merchantCapabilities", known: ApplePayVocabulary.capabilities)
        warnOfUnknown(networks, in: "supportedNetworks", known: ApplePayVocabulary.networks)
        guard let capabilities else { return }
        if !capabilities.contains("supports3DS") {
            body.refuse("merchantCapabilities", "missing_capability", "Must contain supports3DS.")
        }
        if capabilities.contains("supportsEMV"), let networks, !networks.contains("chinaUnionPay") {
            let detail = "supportsEMV is of use only with the network chinaUnionPay."
            warnings.add(at: body.pointer(to: "merchantCapabilities"), "capability_without_network", detail)
        }
    }

    private func checkRange(of total: ApplePayAmount) {
        let place = body.pointer(to: "total").appending("amount")
        if total.hundredths < 0 {
            body.violations.add(at: place, "negative_amount", "The total must not be negative.")
        } else if total.hundredths > Self.greatestTotal {
            body.violations.add(at: place, "out_of_range", "The total must be at most 100,000,000.")
        }
    }

    private func checkShipping(_ currency: Currency?) {
        _ = body.array("shippingMethods", .optional, count: 0...1000) { method in
            _ = method.string("label")
            _ = method.string("detail", .optional, length: 0...1000)
            _ = method.string("identifier", .optional, length: 0...255)
            return method.appleAmount("amount", in: currency, sign: .notNegative)
        }
        warnOfUnknown("shippingType", known: ApplePayVocabulary.shippingTypes)
        warnOfUnknown("shippingContactEditingMode", known: ApplePayVocabulary.shippingContactEditingModes)
        for key in ["requiredBillingContactFields", "requiredShippingContactFields"] {
            let fields = body.strings(key, .optional, count: 0...20)
            warnOfUnknown(fields, in: key, known: ApplePayVocabulary.contactFields)
        }
        for key in ["billingContact", "shippingContact"] {
            _ = body.object(key, .optional) { _ in true }
        }
    }

    private func checkPlainFields() {
        _ = body.string("merchantIdentifier", .optional)
        _ = body.bool("supportsCouponCode", .optional)
        _ = body.string("couponCode", .optional, length: 0...255)
        _ = body.string("merchantCategoryCode", .optional, length: 4...4)
        let data = body.string("applicationData", .optional, length: 0...65_536)
        if let data, !Base64.isWellFormed(data) {
            let detail = "Is not base 64, so devices ignore it without a word."
            warnings.add(at: body.pointer(to: "applicationData"), "not_base64", detail)
        }
        let version = body.integer("version", .optional, in: 1...1000)
        if let version, version < Self.firstVersionWithContexts, body.contains("multiTokenContexts") {
            body.refuse("version", "version_too_low", "Token contexts need version 14 or later.")
        }
    }

    /// A request is of one kind; a second one cancels the sheet.
    private func checkKinds() {
        let kinds = ApplePayVocabulary.requestKinds.filter { body.contains($0) }
        guard let first = kinds.first else { return }
        for other in kinds.dropFirst() {
            body.refuse(other, "conflicting_request_kinds", "Cannot stand beside \(first): the sheet is canceled.")
        }
    }

    private func warnOfUnknown(_ key: String, known: [String]) {
        guard let word = body.string(key, .optional), !known.contains(word) else { return }
        warnings.add(at: body.pointer(to: key), "unknown_value", "Known are \(known.joined(separator: ", ")).")
    }

    private func warnOfUnknown(_ words: [String]?, in key: String, known: [String]) {
        for (index, word) in (words ?? []).enumerated() where !known.contains(word) {
            let detail = "Known are \(known.joined(separator: ", "))."
            warnings.add(at: body.pointer(to: key).appending(index), "unknown_value", detail)
        }
    }
}

/// Checks Apple's own request JSON (`ApplePayPaymentRequest`) before a page hands it to a payment sheet.
///
/// A sheet that dislikes its request is canceled without a reason, so everything that Apple documents, that WebKit
/// checks, or that our orders need is checked here. Fields that are not known are left alone, for Apple adds some.
package enum ApplePayRequestValidation {
    /// What is wrong with a request, and what may go wrong with it, each in a fixed order.
    ///
    /// - Parameters:
    ///   - request: the request as the page would pass it, dates as ISO 8601 text.
    ///   - strict: whether warnings count as errors.
    ///   - now: the moment after which deferred payments must lie; nil leaves that unchecked.
    /// - Returns: the errors, then the warnings; with `strict`, the warnings stand behind the errors.
    package static func violations(
        in request: JSON,
        strict: Bool,
        now: Timestamp? = nil
    ) -> (errors: [Violation], warnings: [Violation]) {
        let errors = Violations()
        let warnings = Violations()
        if let body = ObjectReader(request, into: errors, toleratesUnknown: true) {
            ApplePayRequestRules(body: body, warnings: warnings, now: now).check()
        }
        return strict ? (errors.all + warnings.all, []) : (errors.all, warnings.all)
    }
}
