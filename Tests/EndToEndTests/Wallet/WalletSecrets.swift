import Foundation
import StrictJSON

/// What nobody may find again: numbers and cryptograms that occur nowhere else.
struct WalletSecrets {
    /// Numbers that the simulator approves.
    let numbers: [String]
    /// A number that the simulator declines.
    let declined: String
    /// A number whose first request the simulator never answers.
    let silent: String
    /// Cryptograms in Base64.
    let cryptograms: [String]
    /// A PSP's token.
    let token: String

    /// Draws new ones.
    init() {
        func digits(_ count: Int) -> String { (0..<count).map { _ in String(Int.random(in: 1...9)) }.joined() }
        numbers = (0..<3).map { _ in "4" + digits(15) }
        // The simulator's table of codes in a number's last digits: 001 declines, 202 never answers the first request.
        declined = "999999" + digits(7) + "001"
        silent = "999999" + digits(7) + "202"
        cryptograms = (0..<7).map { _ in
            Data((0..<20).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
        }
        token = "tok_approve+refund_slow_" + digits(8)
    }

    /// What to look for.
    var traces: Traces { Traces(of: numbers + [declined, silent, token], inBase64: cryptograms) }

    /// A network token as a page sends it.
    var networkToken: JSON {
        [
            "type": "network_token", "number": .string(numbers[0]), "expiry_month": 12, "expiry_year": 2030,
            "cryptogram": .string(cryptograms[0]), "eci": "05",
        ]
    }
}
