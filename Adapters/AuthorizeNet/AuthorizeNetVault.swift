package import AdapterKit
import Domain
import StrictJSON

/// What a transaction says of the agreement that it is made under; nothing without one.
///
/// Elements and words: Authorize.Net's schema (`AnetApiSchema.xsd`), and public code that runs against it.
struct AuthorizeNetTerms {
    /// `profile` of a transaction that leaves one.
    var profile: JSON?
    /// `customer.id` of such a transaction, which a profile cannot be without.
    var customer: String?
    /// `processingOptions`.
    var options: JSON?
    /// `subsequentAuthInformation`.
    var information: JSON?

    init(_ initiation: Initiation) {
        switch initiation {
        case .buyer: break
        case .buyerStoring(let first):
            profile = ["createProfile": true]
            customer = ShortName(first.agreement).text
            options = first.type == .recurring ? ["isFirstRecurringPayment": true] : ["isFirstSubsequentAuth": true]
        case .merchant(let charge):
            options = ["isSubsequentAuth": true]
            let transaction = charge.networkTransactionIDs.first { $0.kind == .transaction }
            let json = JSON.object(omittingAbsent: [
                "originalNetworkTransId": transaction.map { .string($0.value) },
                "reason": Self.reason(charge.reason).map(JSON.string),
            ])
            information = json == .object([]) ? nil : json
        }
    }

    private static func reason(_ reason: ChargeReason) -> String? {
        switch reason {
        case .recurring, .reload: nil
        case .deferred: "delayedCharge"
        case .noShow: "noShow"
        case .resubmission: "resubmission"
        }
    }
}

extension Initiation {
    /// Whether a payment that is started so can be paid with such a credential.
    func takes(_ credential: Credential) -> Bool {
        switch (self, credential) {
        case (.buyer, .storedNetworkToken): false
        case (.buyer, _): true
        case (.buyerStoring, .pspToken(_, customer: nil)), (.merchant, .pspToken(_, customer: .some)): true
        default: false
        }
    }
}

/// The profile that a transaction left: its customer's number and its own.
struct AuthorizeNetProfile {
    let customer: String
    let paymentProfile: String

    /// Reads `profileResponse`; nil if no profile was made, or several were.
    init?(_ json: JSON?) {
        guard json?["messages"]?["resultCode"] == "Ok",
            let customer = json?["customerProfileId"]?.stringValue, CardDigits.areDigits(customer),
            let list = json?["customerPaymentProfileIdList"]?.arrayValue, list.count == 1,
            let profile = list[0].stringValue, CardDigits.areDigits(profile)
        else { return nil }
        self.customer = customer
        paymentProfile = profile
    }
}

/// Having Authorize.Net forget a payment profile.
extension AuthorizeNetAdapter {
    /// Deletes it; its customer's profile stays, which holds nothing but our name of the agreement.
    package func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        guard let customer = removal.customer?.reveal() else {
            let message = "A payment profile is deleted by its number and that of its customer's profile."
            return .outcome(.rejected(Rejection(.configuration, code: "customer", message: message)))
        }
        guard let reply = exchanges.first?.reply else {
            return .send(requests.forget(removal.token.reveal(), of: customer, for: removal.agreement))
        }
        switch AuthorizeNetReply(reply, reference: ShortName(removal.agreement).text) {
        case .ok: return .outcome(.succeeded(Success(reference: nil, amount: 0)))
        case .error(let code, _):
            let message = "Authorize.Net answered \(code)."
            guard let reason = code == CallErrors.notFound ? .notFound : CallErrors.reason(code) else {
                return .outcome(.unknown(reason: message))
            }
            return .outcome(.rejected(Rejection(reason, code: code, message: message)))
        case .doubt(let reason): return .outcome(.unknown(reason: reason))
        }
    }
}

/// Asking Authorize.Net for the profile that a transaction left, whose reply did not tell.
extension AuthorizeNetAdapter {
    /// Reads the profile of the agreement's customer, which has one payment profile at most.
    package func next(forStoredMethodOf call: Call, after exchanges: [Exchange]) -> Step {
        guard case .authorize(let authorization) = call.kind,
            case .buyerStoring(let first) = authorization.initiation
        else { return .outcome(.unsupported("createProfile", "The transaction leaves no profile.")) }
        guard let reply = exchanges.first?.reply else {
            return .send(requests.profile(of: first.agreement, for: call))
        }
        var success = Success(reference: call.pspReference, amount: call.money.minorUnits)
        switch AuthorizeNetReply(reply, to: call) {
        case .ok(let json):
            let profiles = json["profile"]?["paymentProfiles"]?.arrayValue ?? []
            guard json["profile"]?["merchantCustomerId"]?.stringValue == ShortName(first.agreement).text,
                let customer = json["profile"]?["customerProfileId"]?.stringValue, CardDigits.areDigits(customer),
                profiles.count <= 1
            else { return .outcome(.unknown(reason: "Authorize.Net answered another profile, or several.")) }
            guard let profile = profiles.first else { return .outcome(.succeeded(success)) }
            guard let number = profile["customerPaymentProfileId"]?.stringValue, CardDigits.areDigits(number) else {
                return .outcome(.unknown(reason: "Authorize.Net calls a payment profile by no number."))
            }
            let card = profile["payment"]?["creditCard"]
            success.stored = StoredMethod(
                token: Secret(number),
                customer: Secret(customer),
                network: card?["cardType"]?.stringValue.flatMap(TransactionResponse.network),
                last4: CardDigits.last4(card?["cardNumber"]?.stringValue)
            )
            return .outcome(.succeeded(success))
        case .error(CallErrors.notFound, _): return .outcome(.succeeded(success))
        case .error(let code, _): return .outcome(.unknown(reason: "Authorize.Net answered \(code)."))
        case .doubt(let reason): return .outcome(.unknown(reason: reason))
        }
    }
}
