package import Domain
import SQL
package import StrictJSON

extension BusinessProfile {
    /// Reads `time_zone` and `legal` of a merchant's or a marketplace's document.
    package init(reading body: ObjectReader) {
        self.init(
            timeZone: body.parsed("time_zone", .optional, expecting: "a time zone, such as Europe/Berlin") {
                TimeZoneName.isValid($0) ? $0 : nil
            },
            legal: body.object("legal", .optional, LegalEntity.init(reading:))
        )
    }

    /// The profile as JSON text, for one column.
    var text: String {
        JSON.object(omittingAbsent: ["time_zone": timeZone.map(JSON.string), "legal": legal?.document]).text
    }

    /// Reads a profile back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)`.
    init(text: String) throws(SQLError) {
        guard let document = try? JSON.parse(text: text) else { throw .unexpectedValue(column: "profile") }
        self.init(
            timeZone: document["time_zone"]?.stringValue,
            legal: try document["legal"].map { json throws(SQLError) in
                try LegalEntity(document: json, column: "profile")
            }
        )
    }
}

extension BusinessProfile.LegalEntity {
    /// Reads a party; nil where a violation was recorded.
    fileprivate init?(reading body: ObjectReader) {
        let name = body.string("name", length: 1...256, by: TextRule.freeText.accept)
        let address = body.strings(
            "address",
            count: 1...Self.addressLimit,
            length: 1...128,
            by: TextRule.freeText.accept
        )
        let country = body.parsed("country", .optional, expecting: "a country, two capital letters of ISO 3166-1") {
            Self.isCountry($0) ? $0 : nil
        }
        let taxID = body.string("tax_id", .optional, length: 1...64, by: TextRule.reference.accept)
        guard let name, let address else { return nil }
        self.init(name: name, address: address, country: country, taxID: taxID)
    }

    /// The party as JSON.
    package var document: JSON {
        [
            "name": .string(name), "address": .strings(address), "country": .optional(country),
            "tax_id": .optional(taxID),
        ]
    }

    /// Reads a party back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)`.
    init(document: JSON, column: String) throws(SQLError) {
        guard let name = document["name"]?.stringValue, let address = document["address"]?.arrayValue else {
            throw .unexpectedValue(column: column)
        }
        self.init(
            name: name,
            address: address.compactMap(\.stringValue),
            country: document["country"]?.stringValue,
            taxID: document["tax_id"]?.stringValue
        )
    }

    private static func isCountry(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
