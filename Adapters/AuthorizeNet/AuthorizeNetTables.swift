package import Domain
import StrictJSON

/// What the reason codes of refused transactions mean.
///
/// Source: Authorize.Net's list of response reason codes as independent integrations repeat it, read in November 2026.
/// A code that is missing, or of which the list says that something went wrong after the issuer was asked, is doubt.
package enum ReasonCodes {
    /// What a code means.
    package enum Meaning: Hashable, Sendable {
        /// The issuer or a risk rule said no, or the card will not do. No money moved.
        case decline(Decline.Category)
        /// The request was refused.
        case rejection(Rejection.Reason)
        /// The transaction it was to be done to cannot take it; only its state says why.
        case state
        /// It may have happened.
        case doubt
    }

    /// What a code means; nil if it is none that is known.
    package static func meaning(_ code: String) -> Meaning? { table[code] }

    /// Every code that is known.
    package static var codes: [String] { table.keys.sorted() }

    private static let table: [String: Meaning] = {
        var table: [String: Meaning] = [:]
        for (meaning, codes) in rows {
            for code in codes.split(separator: " ") { table[String(code)] = meaning }
        }
        return table
    }()

    /// 200 to 224 are the First Data Omaha processor's.
    private static let rows: [(Meaning, String)] = [
        (.decline(.generic), "2 3 222"),
        (.decline(.lostOrStolen), "4"),
        (.decline(.suspectedFraud), "41 141 250 251 254"),
        (.decline(.expiredCard), "8 317"),
        (.decline(.invalidCard), "6 7 27 37 44 45 65 78 127 145 156 165 200 201 211 215 218 315 316"),
        (.decline(.notPermitted), "17 28 128 202 203 204 205 206 207 208 210 212 213 216 219 221"),
        (
            .decline(.temporary),
            "19 20 21 22 23 25 26 57 58 59 60 61 62 63 209 214 217 220 223 224"
        ),
        (
            .rejection(.configuration),
            """
            5 12 13 14 24 29 30 31 34 35 38 40 43 46 56 66 68 69 70 72 74 75 76 81 82 83 91 92 97 98 99 102 103 116 \
            117 118 119 123 130 131 132 153 154 170 171 172 173 174 270 271 288
            """
        ),
        (.rejection(.amountTooLarge), "47 55"),
        (.rejection(.unsupported), "39 48 49 51 155 175 289 304"),
        (.rejection(.notSettledYet), "50"),
        (.state, "15 16 33 54 308 319"),
        // A duplicate says nothing of the first one; the others failed, or could not be undone, after the issuer
        // was asked.
        (.doubt, "11 36 52 120 121 122 152 180 181 261 318"),
    ]
}

/// What the codes of calls that were not carried out mean.
///
/// Source: Authorize.Net's list of response codes, of which independent integrations repeat a part. Those with which it
/// asks to try again later (E00001, E00053, E00104) do not promise that nothing was done, and are left out like all
/// others.
enum CallErrors {
    /// There is no such transaction.
    static let notFound = "E00040"

    /// Why a call was refused before anything was done; nil if nothing is promised.
    static func reason(_ code: String) -> Rejection.Reason? { refusals.contains(code) ? .configuration : nil }

    /// What a code says against the credentials: login or key missing or wrong, account closed (E00005 to E00008), or not
    /// allowed to call this (E00010, E00011); nil if nothing.
    static func objection(_ code: String) -> CredentialObjection? {
        switch code {
        case "E00005", "E00006", "E00007", "E00008": .unauthenticated
        case "E00010", "E00011": .forbidden
        default: nil
        }
    }

    /// Malformed requests, wrong credentials, missing permissions, and one-time tokens that are spent or too old.
    private static let refusals: Set<String> = [
        "E00002", "E00003", "E00004", "E00005", "E00006", "E00007", "E00008", "E00009", "E00010", "E00011", "E00013",
        "E00014", "E00015", "E00016", "E00044", "E00045", "E00059", "E00114", "E00115", "E00116", "E00117", "E00118",
        "E00124",
    ]
}

/// The currencies that an account can be in.
///
/// Which of them depends on its processor. Each has two decimal digits, at Authorize.Net as in ISO 4217.
package enum AccountCurrency {
    private static let taken: Set<String> = [
        "AUD", "CAD", "CHF", "DKK", "EUR", "GBP", "NOK", "NZD", "PLN", "SEK", "USD",
    ]

    /// The currency with that code; nil if Authorize.Net does not take it.
    package static func currency(_ code: String) -> Currency? {
        taken.contains(code) ? Currency(code: code) : nil
    }

    /// For ``Capabilities``: nil for what Authorize.Net does not take.
    package static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where !taken.contains(currency.code) {
            exponents.updateValue(nil, forKey: currency.code)
        }
        return exponents
    }()

    /// Minor units of a decimal amount, which replies write as a number and now and then as text; nil if it is none.
    static func minorUnits(_ json: JSON?, in currency: Currency) -> Int64? {
        let text: String? =
            switch json {
            case .integer(let value): String(value)
            case .number(let text), .string(let text): text
            default: nil
            }
        return text.flatMap { try? Money(decimal: $0, currency: currency) }?.minorUnits
    }
}
