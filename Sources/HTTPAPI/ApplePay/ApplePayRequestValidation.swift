package import Domain
package import StrictJSON

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
