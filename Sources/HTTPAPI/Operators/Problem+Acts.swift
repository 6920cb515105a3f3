import Domain
import Gateway
import HTTPTypes
import StrictJSON

/// Refused acts, in the words of the API.
extension Problem {
    /// What `body` answers, the refusals of the directory, of payouts and of breaks as problems.
    static func acting<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as PayoutRefusal {
            throw Problem(refusal)
        } catch let refusal as BreakRefusal {
            throw Problem(refusal)
        } catch let refusal as DirectoryRefusal {
            throw Problem(refusal)
        } catch let refusal as TestClockRefusal {
            throw Problem(refusal)
        }
    }

    private init(_ refusal: DirectoryRefusal) {
        switch refusal {
        case .accountElsewhere(let id, let known, let declared):
            self = .invalid([
                Violation(
                    pointer: "/psp_accounts",
                    code: "account_elsewhere",
                    detail: "psp_account \(id) is an account at \(known) and has a history there. "
                        + "Declare an account at \(declared) under another id."
                )
            ])
        case .modeChanged(let id, let known):
            self = .invalid([
                Violation(
                    pointer: "/marketplace/mode",
                    code: "mode_changed",
                    detail: "Marketplace \(id) was made in \(known.rawValue) mode, which never changes. "
                        + "Declare another marketplace."
                )
            ])
        case .noSealingKey:
            self.init(
                status: .serviceUnavailable,
                code: "no_sealing_key",
                detail: "There is no key to seal secrets with; the operator has to look at the server's settings.",
                retryAfterSeconds: 60
            )
        case .unknownMerchantOfKey, .keyEndsInThePast, .publishableKeyWithOtherScopes, .scopeNotHeld,
            .keyOutlivesMaker, .keyRequestReused, .networkNotHeld, .keyNameInUse:
            self = Self.keyProblem(refusal)
        case .noMarketplace, .unknownMarketplace, .severalMarketplaces, .unknownMerchant, .unknownAccount,
            .unknownEndpoint, .severalEndpoints, .unknownCallback, .keyLacksScope:
            self = .notFound
        }
    }

    /// Why a key is not made.
    private static func keyProblem(_ refusal: DirectoryRefusal) -> Problem {
        func invalid(_ pointer: String, _ code: String, _ detail: String) -> Problem {
            .invalid([Violation(pointer: pointer, code: code, detail: detail)])
        }
        return switch refusal {
        case .unknownMerchantOfKey(let name, let marketplace):
            invalid("/scopes", "unknown_merchant", "\(marketplace) has no merchant \(name).")
        case .keyEndsInThePast: invalid("/expires_at", "key_ends_in_the_past", "Must be later than now.")
        case .publishableKeyWithOtherScopes:
            invalid("/scopes", "publishable_with_others", "A publishable key has no other scope.")
        case .scopeNotHeld(let scope):
            Problem(
                status: .forbidden,
                code: "scope_not_held",
                detail: "The key has not the scope \(scope) itself, and gives none that it lacks."
            )
        case .keyOutlivesMaker(let end):
            invalid("/expires_at", "key_outlives_maker", "Must be there, and not later than the key's own: \(end).")
        case .networkNotHeld:
            invalid(
                "/networks",
                "network_not_held",
                "Must be there, and lie in the networks that the key may come from itself."
            )
        case .keyNameInUse(_, let id):
            Problem(
                status: .conflict,
                code: "key_name_in_use",
                detail: "\(id) is called so, and is not revoked."
            )
        case .keyRequestReused(let id):
            Problem(
                status: .unprocessableContent,
                code: "idempotency_key_reused",
                detail: "The Idempotency-Key has made \(id), which is another key than this request asks for."
            )
        default: .notFound
        }
    }

    private init(_ refusal: PayoutRefusal) {
        func invalid(_ pointer: String, _ code: String, _ detail: String) -> Problem {
            .invalid([Violation(pointer: pointer, code: code, detail: detail)])
        }
        switch refusal {
        case .nothingPaid: self = invalid("/amount", "out_of_range", "Must be above zero.")
        case .unusableReference:
            self = invalid("/reference", "not_allowed", "Must be one line, without spaces at its ends.")
        case .unusableReason: self = invalid("/reason", "not_allowed", "Must be one line, without spaces at its ends.")
        case .notPaidYet: self = invalid("/paid_at", "not_paid_yet", "Must not be later than now.")
        case .referenceInUse(let payout, let fields):
            let values = fields.map { "\($0.rawValue) \($0.value(in: payout))" }.joined(separator: ", ")
            self.init(
                status: .conflict,
                code: "payout_reference_in_use",
                detail:
                    "\(payout.reference) is the reference of \(payout.id), which has \(values). Nothing was changed."
            )
        case .unknown: self = .notFound
        case .failedOtherwise(let payout):
            let reason: String = if case .failed(let failure) = payout.state { failure.reason } else { "" }
            self.init(
                status: .conflict,
                code: "payout_failed_otherwise",
                detail: "\(payout.id) has failed already, with the reason \(reason). Nothing was changed."
            )
        }
    }

    private init(_ refusal: BreakRefusal) {
        switch refusal {
        case .unknown: self = .notFound
        case .illegal(let from, let to):
            self.init(
                status: .conflict,
                code: "break_state",
                detail: "A break that is \(from.rawValue) does not become \(to.rawValue)."
            )
        case .changed(let state):
            self.init(
                status: .conflict,
                code: "break_changed",
                detail: "Somebody else was faster: it is \(state.rawValue) now. Look at it again."
            )
        case .unusableText:
            self = .invalid([
                Violation(
                    pointer: "/reason",
                    code: "not_allowed",
                    detail: "Must be one line, without spaces at its ends."
                )
            ])
        }
    }
}
