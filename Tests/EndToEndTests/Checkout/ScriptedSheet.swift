import StrictJSON

/// Apple's session object as a script, and the buyer in front of its sheet.
///
/// It does what Apple documents: asks for the merchant session as soon as it begins, and waits for the buyer then.
enum ScriptedSheet {
    /// Puts `ApplePaySession` into a document before its own scripts run.
    static let script = """
        globalThis.ApplePaySession = class ApplePaySession {
          static STATUS_SUCCESS = 0;
          static STATUS_FAILURE = 1;
          static supportsVersion(version) { return version <= 14; }
          static canMakePayments() { return true; }
          constructor(version, request) {
            this.version = version;
            this.request = structuredClone(request);
            globalThis.sheet = this;
          }
          begin() {
            if (!navigator.userActivation.isActive) throw new Error("the sheet needs a click");
            const validationURL = "https://apple-pay-gateway.apple.com/paymentservices/startSession";
            queueMicrotask(() => this.onvalidatemerchant({ validationURL }));
          }
          completeMerchantValidation(session) { this.merchantSession = session; }
          completePayment(result) { sessionStorage.setItem("sheet", JSON.stringify(result)); }
          abort() { this.isAborted = true; }
        };
        """

    /// The request of the sheet that is open, once its merchant is validated.
    static let openSheet =
        "globalThis.sheet && sheet.merchantSession && { request: sheet.request, "
        + "version: sheet.version, session: sheet.merchantSession }"

    /// What the sheet was told at the end, however many pages ago.
    static let ending = "JSON.parse(sessionStorage.getItem('sheet'))"

    /// Has the buyer confirm, so that the sheet hands over a token.
    static func confirm(with token: JSON) -> String {
        "sheet.onpaymentauthorized({ payment: { token: \(token.text) } }), true"
    }
}
