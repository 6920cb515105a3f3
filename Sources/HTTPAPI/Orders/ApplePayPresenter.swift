package import Domain
package import StrictJSON

/// Writes what Apple's sheet is told, in the words of Apple's `ApplePayPaymentAuthorizationResult`.
package enum ApplePayPresenter {
    /// A result as JSON.
    package static func json(_ result: ApplePayResult) -> JSON {
        ["status": .string(result.status.rawValue), "errors": .array(result.errors.map(json))]
    }

    private static func json(_ error: ApplePayError) -> JSON {
        .object(omittingAbsent: [
            "code": .string(error.code.rawValue), "contactField": error.contactField.map { .string($0.rawValue) },
            "message": .string(error.message),
        ])
    }
}

extension Problem {
    /// The problem with what Apple's sheet is told of it, if the body that it answers came from a sheet.
    ///
    /// What is wrong with the buyer's contact is something that the buyer can mend in the sheet.
    func toldToSheet(of body: JSON) -> Problem {
        let payments = [body["payment"]] + (body["contexts"]?.arrayValue ?? []).map { $0["payment"] }
        guard payments.contains(where: { $0?["type"]?.stringValue == "apple_pay" }) else { return self }
        var problem = self
        problem.applePay = ApplePayResult(status: .failure, errors: errors.compactMap(Self.contactError))
        return problem
    }

    private static func contactError(_ violation: Violation) -> ApplePayError? {
        switch violation.pointer {
        case "/buyer/email":
            ApplePayError(.shippingContactInvalid, field: .emailAddress, message: "The email address is not valid.")
        case "/buyer/country":
            ApplePayError(.billingContactInvalid, field: .countryCode, message: "The country is not valid.")
        default: nil
        }
    }
}
