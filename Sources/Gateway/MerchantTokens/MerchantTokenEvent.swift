import AdapterKit
import Domain
import StrictJSON

/// What Apple tells of a merchant token (`MerchantTokenEventResponse`), as far as it means something here.
struct MerchantTokenEvent: Hashable, Sendable {
    /// The kinds of events.
    enum Kind: String, Sendable, CaseIterable {
        /// The buyer or the issuer has made it invalid.
        case unlinked = "UNLINK"
        /// The card behind it has another number or expiry.
        case updatedMetadata = "UPDATED_METADATA"
        /// The card looks otherwise.
        case updatedCardArt = "UPDATED_CARD_ART"
        /// What is told to the buyer's devices is encrypted with another key, of which nothing is here.
        case updatedPublicKey = "UPDATED_MERCHANT_TOKEN_PUBLIC_KEY"
    }

    /// Apple's word for what it is.
    let type: String
    /// The token.
    let token: String
    /// What is told of the card.
    let card: CardUpdate?
    /// What is told of the number, encrypted; where Apple puts it is not documented, so that both places are read.
    let encrypted: JSON?

    /// What kind it is; nil for one that Apple has added since.
    var kind: Kind? { Kind(rawValue: type) }

    /// Reads Apple's answer; nil for what has not its form.
    init?(_ body: [UInt8]) {
        guard let json = try? JSON.parse(body, depthLimit: 16), let type = json["eventType"]?.stringValue,
            let token = json["merchantTokenIdentifier"]?.stringValue, (1...64).contains(type.utf8.count),
            (1...255).contains(token.utf8.count), TextRule.reference.allows(type), TextRule.reference.allows(token)
        else { return nil }
        (self.type, self.token) = (type, token)
        let metadata = json["merchantTokenMetadata"]
        let card = metadata?["cardMetadata"]
        let suffix = card?["fpanSuffix"]?.stringValue.flatMap { text in
            (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? text : nil
        }
        self.card = CardUpdate(
            last4: suffix,
            expiry: card?["expirationDate"]?.stringValue.flatMap { CardUpdate.Expiry($0) }
        )
        encrypted = json["encryptedTokenMetadata"] ?? metadata?["encryptedTokenMetadata"]
    }

    /// What an agreement with the token is told, but for what is encrypted.
    func inputs(by announcement: TokenAnnouncement) -> [AgreementInput] {
        switch kind {
        case .unlinked: [.tokenUnlinked(token)]
        case .updatedMetadata: card.map { [.cardUpdated($0, of: token, toldBy: announcement)] } ?? []
        case .updatedCardArt, .updatedPublicKey, nil: []
        }
    }
}

/// What an answer of Apple's means for an event that was asked for.
enum MerchantTokenVerdict: Hashable, Sendable {
    /// The event.
    case event(MerchantTokenEvent)
    /// There is no such event, or not any more.
    case refused
    /// It has to be asked for again.
    case again(reason: String)

    /// Judges an answer.
    init(_ result: SendResult) {
        switch result {
        case .failure(let reason, _), .held(let reason): self = .again(reason: reason)
        case .reply(let reply):
            switch reply.status {
            case 200:
                self =
                    MerchantTokenEvent(reply.body).map(Self.event)
                    ?? .again(reason: "Apple's answer has not the form of an event")
            case 400: self = .refused
            default: self = .again(reason: "Apple answers \(reply.status)")
            }
        }
    }
}
