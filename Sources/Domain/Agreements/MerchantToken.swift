/// Apple's merchant token (MPAN) behind the method of an agreement: a number that is good for one merchant, whatever device the
/// buyer has.
///
/// Of agreements that are paid with a device's number there is none.
package struct MerchantToken: Hashable, Sendable {
    /// Apple's name of it (`merchantTokenIdentifier`).
    package internal(set) var identifier: String
    /// Whether Apple has told that it is good for nothing any more, which is final.
    package internal(set) var isUnlinked: Bool
    /// What Apple has told of the card since, and by which announcement.
    package internal(set) var card: ToldCard
    /// The announcement of the number that it has now; nil for that of the first payment.
    package internal(set) var numberToldBy: TokenAnnouncement?

    /// Makes a token of which nothing is told yet, unless said.
    package init(
        _ identifier: String,
        isUnlinked: Bool = false,
        card: ToldCard = ToldCard(),
        numberToldBy: TokenAnnouncement? = nil
    ) {
        self.identifier = identifier
        self.isUnlinked = isUnlinked
        self.card = card
        self.numberToldBy = numberToldBy
    }

    /// What is known of a card by announcements, each part by the latest that told it, in whatever order they are read.
    package struct ToldCard: Hashable, Sendable {
        /// The last four digits.
        package var last4: Told<String>?
        /// The month and the year after which it is no longer taken.
        package var expiry: Told<CardUpdate.Expiry>?

        /// Gathers what is known.
        package init(last4: Told<String>? = nil, expiry: Told<CardUpdate.Expiry>? = nil) {
            self.last4 = last4
            self.expiry = expiry
        }

        /// The method with what is known.
        func applied(to method: AgreementMethod) -> AgreementMethod {
            var method = method
            if let last4 { method.last4 = last4.value }
            if let expiry { (method.expiryMonth, method.expiryYear) = (expiry.value.month, expiry.value.year) }
            return method
        }
    }

    /// A value, and the announcement that told it.
    package struct Told<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The value.
        package let value: Value
        /// The announcement.
        package let by: TokenAnnouncement

        /// Pairs them.
        package init(_ value: Value, by announcement: TokenAnnouncement) { (self.value, by) = (value, announcement) }
    }
}

/// The place of an event of a merchant token among the others.
///
/// Apple's events have no time of their own: when an event was first announced is what orders them, however late it is fetched.
package struct TokenAnnouncement: Hashable, Comparable, Sendable {
    /// When it was first announced, by the database's clock.
    package let at: Timestamp
    /// Apple's name of the event, ASCII; it decides between events announced at one moment.
    package let event: String

    /// Places an event.
    package init(at moment: Timestamp, event: String) { (at, self.event) = (moment, event) }

    package static func < (left: TokenAnnouncement, right: TokenAnnouncement) -> Bool {
        left.at == right.at ? left.event < right.event : left.at < right.at
    }
}

/// What Apple tells of the card behind a merchant token; nil for what it does not tell.
package struct CardUpdate: Hashable, Sendable {
    /// The end of a card's validity.
    package struct Expiry: Hashable, Sendable {
        /// The month, 1 to 12.
        package let month: Int
        /// The year, four digits.
        package let year: Int

        /// Reads `12/29` or `12/2029`, as Apple writes it; nil for anything else.
        package init?(_ text: String) {
            let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].count == 2, parts[1].count == 2 || parts[1].count == 4,
                let month = Self.number(parts[0]), let year = Self.number(parts[1]), (1...12).contains(month)
            else { return nil }
            self.init(month: month, year: parts[1].count == 2 ? 2000 + year : year)
        }

        /// Puts month and year together.
        package init(month: Int, year: Int) { (self.month, self.year) = (month, year) }

        private static func number(_ digits: Substring.UTF8View) -> Int? {
            digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(Substring(digits)) : nil
        }
    }

    /// The last four digits of its number.
    package let last4: String?
    /// When it expires.
    package let expiry: Expiry?

    /// Gathers what is told; nil if that is nothing.
    package init?(last4: String?, expiry: Expiry?) {
        guard last4 != nil || expiry != nil else { return nil }
        (self.last4, self.expiry) = (last4, expiry)
    }
}

/// Merchant tokens in the life of an agreement. What Apple tells may come in any order, and any number of times.
extension Agreement {
    /// The tokens that Apple may still tell something of, or still has to unlink.
    package var merchantTokens: Set<String> {
        var tokens = Set(linkedTokens)
        if let token { tokens.insert(token.identifier) }
        return tokens
    }

    /// Whether nothing is paid with its token any more, and nothing is under way that is.
    var isDoneWithToken: Bool { isOver && !isFirstPaymentOpen && openCharges.isEmpty }

    /// Has it know the token behind its method; one that it knew before is in use no longer, and to be unlinked.
    mutating func name(_ identifier: String, _ step: inout AgreementStep) {
        guard token?.identifier != identifier else { return }
        if let token, linkedTokens.contains(token.identifier) { step.unlinks.append(token.identifier) }
        token = MerchantToken(identifier)
        if !linkedTokens.contains(identifier) { linkedTokens.append(identifier) }
    }

    /// Apple has unlinked a token: nothing can be charged from now on, and what is on its way goes on.
    mutating func unlink(_ identifier: String, _ step: inout AgreementStep) {
        forget(identifier)
        guard !isOver, token?.identifier == identifier, token?.isUnlinked == false else { return }
        token?.isUnlinked = true
        if state == .active { suspend(.methodUnlinked, &step) }
    }

    /// There is nothing left to unlink of a token.
    mutating func forget(_ identifier: String) { linkedTokens.removeAll { $0 == identifier } }

    /// Apple tells of the card behind a token.
    mutating func update(
        _ update: CardUpdate,
        of identifier: String,
        toldBy announcement: TokenAnnouncement,
        _ step: inout AgreementStep
    ) {
        guard !isOver, var card = token?.card, token?.identifier == identifier else { return }
        if let last4 = update.last4, card.last4.map({ $0.by < announcement }) ?? true {
            card.last4 = .init(last4, by: announcement)
        }
        if let expiry = update.expiry, card.expiry.map({ $0.by < announcement }) ?? true {
            card.expiry = .init(expiry, by: announcement)
        }
        guard card != token?.card else { return }
        token?.card = card
        let before = method
        (method, candidate) = (method.map(card.applied), candidate.map(card.applied))
        if method != before, state != .pending { step.told.append(.agreementUpdated) }
    }

    /// Whether what an announcement tells of a token's number is newer than what is known of it.
    package func isNews(_ announcement: TokenAnnouncement, aboutNumberOf identifier: String) -> Bool {
        !isOver && token?.identifier == identifier && token?.numberToldBy.map { $0 < announcement } ?? true
    }

    /// A token has another number, and maybe another name.
    mutating func renumber(_ identifier: String, to name: String?, toldBy announcement: TokenAnnouncement) {
        guard isNews(announcement, aboutNumberOf: identifier) else { return }
        token?.numberToldBy = announcement
        guard let name else { return }
        token?.identifier = name
        linkedTokens = linkedTokens.map { $0 == identifier ? name : $0 }
        if method?.merchantTokenIdentifier == identifier { method?.merchantTokenIdentifier = name }
        if candidate?.merchantTokenIdentifier == identifier { candidate?.merchantTokenIdentifier = name }
    }

    /// A method that was made of the token, with its name where the PSP gave none.
    func ofToken(_ method: AgreementMethod) -> AgreementMethod {
        var method = method
        if method.merchantTokenIdentifier == nil { method.merchantTokenIdentifier = token?.identifier }
        return method
    }
}
