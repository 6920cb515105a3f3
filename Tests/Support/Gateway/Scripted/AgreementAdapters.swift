package import AdapterKit
import Domain
import SimulatorAdapter

/// The simulator's dialect at a PSP whose replies and inquiries never tell of a stored method, so that it is asked after it.
///
/// What it says then follows from the amount: it keeps none of 1001, cannot be asked after one of 1002, does not answer of
/// 1003, and tells the method of every other one.
package struct SilentAdapter: PaymentAdapter {
    package static let name = "simulator"
    package static let capabilities = SimulatorAdapter.capabilities

    private let base: SimulatorAdapter

    package init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard case .outcome(.succeeded(var success)) = base.next(for: call, after: exchanges) else {
            return base.next(for: call, after: exchanges)
        }
        success.stored = nil
        return .outcome(.succeeded(success))
    }

    package func next(forStoredMethodOf call: Call, after exchanges: [Exchange]) -> Step {
        switch call.money.minorUnits {
        case 1001: next(for: call, after: exchanges)
        case 1002: .outcome(.rejected(Rejection(.unsupported, code: "no_list", message: "There is no such call.")))
        case 1003: .outcome(.unknown(reason: "no answer"))
        default: base.next(for: call, after: exchanges)
        }
    }

    package func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        base.next(forRemoval: removal, after: exchanges)
    }
}

/// The simulator's dialect at a PSP that makes no tokens, and takes later payments with a network token's number.
package struct TokenlessAdapter: PaymentAdapter {
    package static let name = "simulator"
    package static let capabilities: Capabilities = {
        var capabilities = SimulatorAdapter.capabilities
        capabilities.agreements = AgreementSupport(
            merchantInitiated: [.storedNetworkToken],
            networkTransactionID: [.read, .write]
        )
        return capabilities
    }()

    private let base: SimulatorAdapter

    package init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        var call = call
        if case .authorize(var authorization) = call.kind, case .buyerStoring = authorization.initiation {
            authorization.initiation = .buyer
            call.kind = .authorize(authorization)
        }
        return base.next(for: call, after: exchanges)
    }
}

/// The simulator's dialect at a PSP that tells with each charge of the card that has taken the place of the one before.
package struct RenewingAdapter: PaymentAdapter {
    package static let name = "simulator"
    package static let capabilities = SimulatorAdapter.capabilities

    private let base: SimulatorAdapter

    package init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        let step = base.next(for: call, after: exchanges)
        guard case .outcome(.succeeded(var success)) = step, case .authorize(let authorization) = call.kind,
            case .merchant = authorization.initiation,
            case .pspToken(let token, let customer)? = authorization.credential
        else { return step }
        success.stored = StoredMethod(
            token: token,
            customer: customer,
            network: "visa",
            last4: "1881",
            expiryMonth: 1,
            expiryYear: 2035
        )
        return .outcome(.succeeded(success))
    }
}
