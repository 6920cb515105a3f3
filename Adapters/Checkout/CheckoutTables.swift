package import Domain

/// What Checkout.com's response codes mean in our categories.
///
/// Source: Checkout.com's page "API response codes", read in November 2026. It calls 20xxx soft and 30xxx hard; a
/// category that is not retryable is given to a soft code too where the card's own network asks not to try again.
package enum CheckoutDeclines {
    /// The category of a response code; nil if it is none of a decline.
    ///
    /// A code that is not listed has its range's: 20xxx may be tried again, 30xxx may not, 40xxx is a risk rule.
    package static func category(_ code: String) -> Decline.Category? {
        if let category = table[code] { return category }
        guard code.utf8.count == 5 else { return nil }
        return switch code.utf8.first {
        case UInt8(ascii: "2"): .generic
        case UInt8(ascii: "3"): .notPermitted
        case UInt8(ascii: "4"): .suspectedFraud
        default: nil
        }
    }

    /// Every code that is listed.
    package static var codes: [String] { table.keys.sorted() }

    /// Visa's revocations of an authorization and of all of them, by which the consent to later payments is taken back.
    static let revocations: Set<String> = ["200R1", "200R3"]

    /// What a recommendation code makes of a decline for which the issuer gave no reason.
    static func category(recommended code: String) -> Decline.Category? {
        switch code {
        case "02": .temporary
        case "03": .notPermitted
        default: nil
        }
    }

    /// What an error code of a refused request makes a decline of: the card's own data are wrong.
    static func category(ofError code: String) -> Decline.Category? {
        switch code {
        case "card_expired": .expiredCard
        case "card_number_invalid", "card_expiry_month_invalid", "card_expiry_year_invalid", "cvv_invalid": .invalidCard
        case "card_disabled": .notPermitted
        default: nil
        }
    }

    private static let table: [String: Decline.Category] = {
        var table: [String: Decline.Category] = [:]
        for (category, codes) in rows {
            for code in codes.split(separator: " ") { table[String(code)] = category }
        }
        return table
    }()

    private static let rows: [(Decline.Category, String)] = [
        (.insufficientFunds, "20051"),
        (.expiredCard, "20054 20100 30033"),
        (.invalidCard, "20014 20039 20044 20052 20053 20056 20083 20087 20101 20108 20114 20179 200N7 30015 30046"),
        (.lostOrStolen, "20067 30004 30007 30035 30037 30041 30043"),
        (.suspectedFraud, "20059 20063 20066 20105 20183 30034 40101 40201 40202 40203 40204 40205"),
        (.authenticationRequired, "20055 20075 20082 20112 20150 20151 20153 20154 20155 200O5 2006P"),
        (.notPermitted, "20012 20017 20018 20038 20040 20057 20058 20062 20064 20078 20093 20103 20106 20182"),
        (.notPermitted, "200R1 200R3 200T3 200T5 30016 30017 30018 30019 30020 30036 30038 30044 30045"),
        (.limitExceeded, "20061 20065 20121 200P1 200P9 30021 30022"),
        (.temporary, "20009 20019 20022 20028 20068 20090 20091 20092 20096 20104 20118 200N0"),
        (.partialApproval, "20010 20032"),
        (.actionExpired, "20152"),
        (.generic, "20001 20002 20003 20005 20006 20013 20020 20021 20023 20024 20025 20026 20027 20029 20030"),
        (.generic, "20031 20042 20046 20060 20084 20085 20086 20088 20089 20094 20095 20097 20098 20099 20102"),
        (.generic, "20107 20109 20110 20111 20113 20115 20116 20117 20119 20120 20123 20124 20156 20157 20158"),
        (.generic, "20193 200S4 200T2"),
    ]
}

/// The unit in which Checkout.com counts a currency, which is ISO 4217's minor unit but for the Chilean peso.
///
/// Source: Checkout.com's page "Format the amount value", read in November 2026. The currencies are those of its .NET
/// library (August 2026); what an account may charge depends on its contract.
package struct CheckoutUnit: Hashable, Sendable {
    /// The code in capitals.
    package let code: String
    /// How many decimal digits an amount has at Checkout.com.
    package let exponent: Int

    /// How many of Checkout.com's units a minor unit of ISO 4217 is.
    private let scale: Int64

    /// No amount has more than nine digits.
    private static let greatestAmount: Int64 = 999_999_999

    /// The unit of a currency; nil if Checkout.com does not take it.
    package init?(_ currency: Currency) {
        guard !Self.notTaken.contains(currency.code) else { return nil }
        let isChileanPeso = currency.code == "CLP"
        code = currency.code
        exponent = isChileanPeso ? 2 : currency.exponent
        scale = isChileanPeso ? 100 : 1
    }

    /// The amount as Checkout.com counts it; nil if it cannot express it.
    ///
    /// The last digit of a three-digit amount must be 0.
    package func amount(_ minorUnits: Int64) -> Int64? {
        let (amount, overflowed) = minorUnits.multipliedReportingOverflow(by: scale)
        guard !overflowed, (0...Self.greatestAmount).contains(amount) else { return nil }
        return exponent == 3 && amount % 10 != 0 ? nil : amount
    }

    /// Minor units of ISO 4217 from an amount as Checkout.com counts it; nil if it is no whole number of them.
    package func minorUnits(_ amount: Int64) -> Int64? {
        amount >= 0 && amount % scale == 0 ? amount / scale : nil
    }

    /// For ``Capabilities``: the exponents that differ from ISO 4217's, and nil for what Checkout.com does not take.
    package static let exponents: [String: Int?] = {
        var exponents: [String: Int?] = [:]
        for currency in Currency.all where CheckoutUnit(currency)?.exponent != currency.exponent {
            exponents.updateValue(CheckoutUnit(currency)?.exponent, forKey: currency.code)
        }
        return exponents
    }()

    /// Not named by Checkout.com, and CLF, of whose unit its pages say different things.
    private static let notTaken: Set<String> = [
        "BOV", "CHE", "CHW", "CLF", "COU", "MXV", "SLE", "SSP", "USN", "UYI", "UYW", "VED", "VES", "XAD", "XCG", "ZWG",
    ]
}
