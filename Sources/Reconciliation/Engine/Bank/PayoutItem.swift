import Domain

/// A payout that the bank has to know: a PSP's to us, or ours to a merchant.
struct PayoutItem {
    /// Whose it is.
    enum Owner {
        /// A payout line of a report.
        case line(LinePlace, PSPAccountName)
        /// A recorded payout.
        case recorded(Payout)
    }

    let owner: Owner
    let currency: Currency
    /// As it changes the bank account's balance, in units of 10⁻¹².
    let amount: Int128
    let day: CalendarDay?
    /// What the bank may call it, as it is compared.
    let references: [String]
    /// What it is called in a break.
    let name: String
    let batch: String?
    var isOpen = true

    /// The order in which equals are taken.
    static func precedes(_ left: PayoutItem, _ right: PayoutItem) -> Bool {
        let days = (left.day?.number ?? .min, right.day?.number ?? .min)
        if days.0 != days.1 { return days.0 < days.1 }
        return (left.name, left.place) < (right.name, right.place)
    }

    private var place: String {
        switch owner {
        case .line(let place, _): "\(place.file)/\(place.member)/\(place.row)"
        case .recorded(let payout): payout.id.text
        }
    }

    var account: PSPAccountName? {
        if case .line(_, let account) = owner { return account }
        return nil
    }

    /// A text as references are compared: letters and digits alone, small; nil if too little is left to name anything.
    static func normal(_ text: some StringProtocol) -> String? {
        let bytes = text.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case 0x80...: byte
            default: nil
            }
        }
        // Marks that stood on either side of a character that is left out follow one another now.
        return bytes.count < 6 ? nil : String(decoding: bytes, as: UTF8.self).withBoundedRuns
    }
}
