/// A card network, as routes name it.
package enum CardNetwork: String, Hashable, Sendable, CaseIterable {
    /// American Express.
    case amex
    /// Bancomat, Italy.
    case bancomat
    /// Bancontact, Belgium.
    case bancontact
    /// Cartes Bancaires, France.
    case cartesBancaires = "cartes_bancaires"
    /// Dankort, Denmark.
    case dankort
    /// Discover, and Diners Club with it.
    case discover
    /// Eftpos, Australia.
    case eftpos
    /// Visa Electron.
    case electron
    /// Elo, Brazil.
    case elo
    /// Girocard, Germany.
    case girocard
    /// Interac, Canada.
    case interac
    /// JCB.
    case jcb
    /// Mada, Saudi Arabia.
    case mada
    /// Maestro.
    case maestro
    /// Mastercard.
    case mastercard
    /// Mir.
    case mir
    /// A store's own cards.
    case privateLabel = "private_label"
    /// China UnionPay.
    case unionpay
    /// V Pay.
    case vPay = "v_pay"
    /// Visa.
    case visa

    /// Their names as routes have them.
    package static let names = allCases.map(\.rawValue)

    /// The network that a wallet's sheet or a caller names, whatever the case and what stands between the words.
    ///
    /// Apple writes `MasterCard`, `AmEx` and `ChinaUnionPay`, Google `MASTERCARD` and `AMEX`.
    package init?(named text: String) {
        let word = text.lowercased().filter { $0.isLetter || $0.isNumber }
        guard let network = Self.allCases.first(where: { Self.folded($0.rawValue) == word }) ?? Self.others[word] else {
            return nil
        }
        self = network
    }

    private static func folded(_ name: String) -> String { name.filter { $0 != "_" } }

    private static let others: [String: CardNetwork] = [
        "americanexpress": .amex, "mc": .mastercard, "chinaunionpay": .unionpay, "cup": .unionpay,
        "pagobancomat": .bancomat, "visaelectron": .electron, "diners": .discover, "dinersclub": .discover,
    ]
}
