package import Domain

/// A token context of an order, as far as it matters which authentication response belongs to it.
package struct BundleContext: Hashable, Sendable {
    /// Where the money of a payment goes; two contexts with the same cannot be told apart by whoever is paid.
    package struct Settlement: Hashable, Sendable {
        /// The PSP account that authorizes the payment.
        package let pspAccount: String
        /// The merchant's account there; nil if the PSP account is the merchant's own.
        package let merchantAccount: String?

        /// Makes a target.
        package init(pspAccount: String, merchantAccount: String?) {
            self.pspAccount = pspAccount
            self.merchantAccount = merchantAccount
        }
    }

    /// Its place among the order's contexts, from 0.
    package let position: Int
    /// The merchant's stable identifier in the order.
    package let externalIdentifier: String
    /// The merchant identifier that Apple was given for it; nil if the merchant has none.
    package let merchantIdentifier: String?
    /// The amount in the currency's minor unit.
    package let amount: Int64
    /// Where its money goes.
    package let settlement: Settlement

    /// Makes a context.
    package init(
        position: Int,
        externalIdentifier: String,
        merchantIdentifier: String?,
        amount: Int64,
        settlement: Settlement
    ) {
        self.position = position
        self.externalIdentifier = externalIdentifier
        self.merchantIdentifier = merchantIdentifier
        self.amount = amount
        self.settlement = settlement
    }
}

/// One of the `authenticationResponses` of a decrypted multi-merchant Apple Pay token.
///
/// Apple guarantees no order among them and does not publish how the merchant identifier is hashed (Apple developer
/// forum 826536).
package struct BundleResponse: Hashable, Sendable {
    /// The hashed merchant identifier, as it stands in the token.
    package let merchantHash: String
    /// The amount in the currency's minor unit.
    package let amount: Int64
    /// The network's cryptogram for this merchant and amount, in Base64.
    package let cryptogram: Secret

    /// Makes a response.
    package init(merchantHash: String, amount: Int64, cryptogram: Secret) {
        self.merchantHash = merchantHash
        self.amount = amount
        self.cryptogram = cryptogram
    }
}

/// A row of the map from hashed merchant identifiers to merchant identifiers.
package struct MerchantHash: Hashable, Sendable {
    /// How far the row may be trusted.
    package enum State: String, Sendable, CaseIterable {
        /// Seen with this merchant; decides nothing.
        case recorded
        /// An operator says that the hash is this merchant's; it decides.
        case confirmed
        /// An operator says that it is not to be used; it decides nothing.
        case rejected
    }

    /// The hashed merchant identifier.
    package let hash: String
    /// The merchant identifier.
    package let merchantIdentifier: String
    /// How far the row may be trusted.
    package let state: State

    /// Makes a row.
    package init(hash: String, merchantIdentifier: String, state: State) {
        self.hash = hash
        self.merchantIdentifier = merchantIdentifier
        self.state = state
    }
}

/// Which authentication response belongs to which context.
package struct BundleMatch: Hashable, Sendable {
    /// Why a response was chosen for a context.
    package enum Reason: String, Sendable, CaseIterable {
        /// No other context has the amount.
        case uniqueAmount = "unique_amount"
        /// The hash is confirmed to be this context's merchant's, and no other context of the amount is that
        /// merchant's.
        case confirmedHash = "confirmed_hash"
        /// Confirmed hashes leave no other response of the amount.
        case remainingAmount = "remaining_amount"
        /// Several would do, and the money goes to the same account whichever it is.
        case sameSettlement = "same_settlement"
    }

    /// What was chosen for one context.
    package struct Choice: Hashable, Sendable {
        /// The index of the response.
        package let response: Int
        /// Why it was chosen.
        package let reason: Reason
    }

    /// One choice for each context, in the order in which the contexts were given; no response twice.
    package let choices: [Choice]
    /// The hashes that the map does not have yet.
    package let observations: [HashObservation]
}

/// A hashed merchant identifier that the map does not have yet, to be recorded.
package struct HashObservation: Hashable, Sendable {
    /// The hashed merchant identifier.
    package let hash: String
    /// The merchant identifiers whose it may be, in the order of the contexts: one if the amount was unique, none if
    /// the contexts of that amount have no merchant identifier.
    package let candidates: [String]
    /// The amount it came with, in the currency's minor unit.
    package let amount: Int64
}
