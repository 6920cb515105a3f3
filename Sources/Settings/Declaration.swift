package import Domain
import Storage
package import StrictJSON

/// What lives in the database and is declared in a file: the marketplace, its PSP accounts and its merchants.
package struct Declaration: Hashable, Sendable {
    /// The marketplace.
    package var marketplace: MarketplaceDeclaration
    /// Its accounts at PSPs; no identifier occurs twice.
    package var pspAccounts: [PSPAccountDeclaration]
    /// Its merchants; no external identifier occurs twice, and their routes name declared accounts.
    package var merchants: [MerchantDeclaration]
    /// Apple Pay, if it takes Apple Pay with certificates of its own.
    package var applePay: ApplePayDeclaration?
    /// Google Pay, if it takes Google Pay with keys of its own.
    package var googlePay: GooglePayDeclaration?
    /// Orders in Wallet, if buyers follow its orders there.
    package var walletOrders: WalletOrdersDeclaration?

    /// Reads a declaration from a file.
    ///
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong.
    package static func load(
        path: String,
        surroundings: Surroundings
    ) throws(InvalidConfiguration) -> Declaration {
        try parse(surroundings.text(of: path), file: path)
    }

    /// What a file declares, as it is written there, if it is a declaration.
    ///
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong.
    package static func document(
        path: String,
        surroundings: Surroundings
    ) throws(InvalidConfiguration) -> JSON {
        let document = try ConfigurationDocument(yaml: surroundings.text(of: path), file: path)
        _ = try document.read { body in Declaration(body, file: path) }
        return document.json
    }

    /// Reads a declaration from text; `file` is how problems name it and where relative paths start.
    ///
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong.
    package static func parse(_ text: String, file: String) throws(InvalidConfiguration) -> Declaration {
        try ConfigurationDocument(yaml: text, file: file).read { body in Declaration(body, file: file) }
    }

    private init?(_ body: ObjectReader, file: String) {
        let marketplace = body.object("marketplace") { MarketplaceDeclaration($0, file: file) }
        let accounts = body.array("psp_accounts", count: 0...1000) { PSPAccountDeclaration($0, file: file) }
        let merchants = body.array("merchants", count: 0...100_000) { MerchantDeclaration($0, file: file) }
        applePay = body.object("apple_pay", .optional) { ApplePayDeclaration($0, file: file) }
        googlePay = body.object("google_pay", .optional) { GooglePayDeclaration($0, file: file) }
        walletOrders = body.object("wallet_orders", .optional) { WalletOrdersDeclaration($0, file: file) }
        guard let marketplace, let accounts, let merchants else { return nil }
        self.marketplace = marketplace
        pspAccounts = accounts
        self.merchants = merchants
        refuseContradictions(body)
    }

    /// Rules that concern several parts of the declaration.
    private func refuseContradictions(_ body: ObjectReader) {
        var accounts: Set<String> = []
        for (index, account) in pspAccounts.enumerated() where !accounts.insert(account.id).inserted {
            let place = body.pointer(to: "psp_accounts").appending(index).appending("id")
            body.violations.add(at: place, "duplicate_id", "Another PSP account has this id.")
        }
        var identifiers: Set<String> = []
        for (index, merchant) in merchants.enumerated() {
            let place = body.pointer(to: "merchants").appending(index)
            if !identifiers.insert(merchant.externalIdentifier).inserted {
                let sentence = "Another merchant has this external identifier."
                body.violations.add(at: place.appending("external_identifier"), "duplicate_id", sentence)
            }
            for (number, route) in merchant.routes.enumerated() where !accounts.contains(route.pspAccount) {
                let field = place.appending("routes").appending(number).appending("psp_account")
                body.violations.add(at: field, "unknown_psp_account", "There is no PSP account with this id.")
            }
        }
    }
}

/// The declared marketplace.
package struct MarketplaceDeclaration: Hashable, Sendable {
    /// Its identifier, which stands on every row.
    package var id: String
    /// Its name for people.
    package var name: String
    /// Where it hears about its orders, if anywhere.
    package var callback: CallbackDeclaration?
    /// What its papers say of it.
    package var profile: BusinessProfile
    /// Whether it moves real money; test unless it is said.
    package var mode: MarketplaceMode

    init?(_ body: ObjectReader, file: String) {
        profile = BusinessProfile(reading: body)
        let id = body.slug("id")
        let name = body.string("name", length: 1...128, by: TextRule.freeText.accept)
        mode = body.choice("mode", .optional) ?? .test
        callback = body.object("callback", .optional) { CallbackDeclaration($0, file: file) }
        guard let id, let name else { return nil }
        self.id = id
        self.name = name
    }
}

/// A declared account at a PSP.
package struct PSPAccountDeclaration: Hashable, Sendable {
    /// Its identifier, which routes name.
    package var id: String
    /// The PSP's name, as its adapter has it.
    package var psp: String
    /// The PSP's address: https, or plain http to the loopback interface.
    package var baseURL: String
    /// Where each credential is kept, by the name that the adapter asks for.
    package var credentials: [String: SecretReference]

    init?(_ body: ObjectReader, file: String) {
        let id = body.slug("id")
        let psp = body.slug("psp")
        let baseURL = body.webAddress("base_url")
        let credentials = body.object("credentials", .optional) { body in
            body.keys.reduce(into: [:]) { $0[$1] = body.secretReference($1, relativeTo: file) }
        }
        guard let id, let psp, let baseURL else { return nil }
        self.id = id
        self.psp = psp
        self.baseURL = baseURL
        self.credentials = credentials ?? [:]
    }
}
