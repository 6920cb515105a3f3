import Domain
import StrictJSON

/// The declared marketplace.
package struct MarketplaceDeclaration: Hashable, Sendable {
    /// Its identifier, which stands on every row.
    package var id: String
    /// Its name for people.
    package var name: String
    /// Where it hears about its orders, if anywhere.
    package var callback: CallbackDeclaration?

    init?(_ body: ObjectReader, file: String) {
        let id = body.slug("id")
        let name = body.string("name", length: 1...128, by: TextRule.freeText.accept)
        callback = body.object("callback", .optional) { CallbackDeclaration($0, file: file) }
        guard let id, let name else { return nil }
        self.id = id
        self.name = name
    }
}
