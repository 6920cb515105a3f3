/// Why a PSP does not take the credentials of a request.
public enum CredentialObjection: String, Hashable, Sendable, CaseIterable {
    /// It does not know them (RFC 9110, 15.5.2): nothing that is asked with them works.
    case unauthenticated
    /// It knows them and does not let them do what is asked (RFC 9110, 15.5.4): something else may work.
    case forbidden
}

/// That a PSP refuses our credentials at an account, since when, and how it said so last.
package struct CredentialRefusal: Hashable, Sendable {
    /// The reason that it is listed under, among what waits for a person.
    package static let reason = "credentials_refused"

    /// The account's marketplace.
    package let marketplace: String
    /// The account's name in our configuration.
    package let account: String
    /// Why.
    package let objection: CredentialObjection
    /// The call that was refused last: what was asked for (`authorize`, `capture`, …), or `inquire`.
    package let call: String
    /// The HTTP status that it was refused with.
    package let status: Int
    /// The PSP's own code, if the adapter reads one.
    package let code: String?
    /// Since when calls have been refused, with none taken in between.
    package var since: Timestamp
    /// When the last call was refused.
    package let refusedAt: Timestamp

    /// Makes a refusal.
    package init(
        marketplace: String,
        account: String,
        objection: CredentialObjection,
        call: String,
        status: Int,
        code: String?,
        since: Timestamp,
        refusedAt: Timestamp
    ) {
        self.marketplace = marketplace
        self.account = account
        self.objection = objection
        self.call = call
        self.status = status
        self.code = code
        self.since = since
        self.refusedAt = refusedAt
    }

    /// Whether calls that the PSP took, each with when the last one of its kind was, show that it is over.
    ///
    /// Credentials that were unknown are known by any of them; what was forbidden has to be let through itself.
    package func isOver(after taken: [String: Timestamp]) -> Bool {
        switch objection {
        case .unauthenticated: taken.values.contains { $0 >= refusedAt }
        case .forbidden: taken[call].map { $0 >= refusedAt } ?? false
        }
    }

    /// What the PSP said, in a sentence.
    package var finding: String {
        let answer = "HTTP \(status)" + (code.map { ", \($0)" } ?? "")
        return switch objection {
        case .unauthenticated: "The PSP does not know the credentials of \(account) (\(answer), \(call))."
        case .forbidden: "The PSP does not let the credentials of \(account) do this: \(call) (\(answer))."
        }
    }

    /// What a person can do about it, in a sentence.
    package var advice: String {
        switch objection {
        case .unauthenticated:
            "Renew the key in the PSP's portal and put it where the account refers to: a file is read again within a minute,"
                + " a variable when the servers are restarted. It ends with the first call that the PSP takes; until then"
                + " psp-accounts pause keeps new orders away."
        case .forbidden:
            "Give the key the permission in the PSP's portal; it ends when the PSP takes such a call."
        }
    }
}
