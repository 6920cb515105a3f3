/// What papers say of a marketplace or a merchant: who it is by law, and whose days its papers have.
package struct BusinessProfile: Hashable, Sendable {
    /// A party to an invoice.
    package struct LegalEntity: Hashable, Sendable {
        /// How many lines an address has at most.
        package static let addressLimit = 6

        /// The name by law.
        package let name: String
        /// The address, line by line.
        package let address: [String]
        /// The country, two capital letters of ISO 3166-1, if it is said.
        package let country: String?
        /// The number that the tax authority knows it by, as `DE123456789`.
        package let taxID: String?

        /// Makes a party.
        package init(name: String, address: [String] = [], country: String? = nil, taxID: String? = nil) {
            self.name = name
            self.address = address
            self.country = country
            self.taxID = taxID
        }
    }

    /// The time zone whose days its papers have, as `Europe/Berlin`; nil if none is declared.
    package var timeZone: String?
    /// Who it is by law; nil if that is not declared.
    package var legal: LegalEntity?

    /// Makes a profile; without arguments, one that says nothing.
    package init(timeZone: String? = nil, legal: LegalEntity? = nil) {
        self.timeZone = timeZone
        self.legal = legal
    }
}
