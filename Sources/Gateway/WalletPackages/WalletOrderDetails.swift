import AdapterKit
import Domain
import StrictJSON
import WalletOrders
import WireFormats

/// What a buyer reads of an order in Wallet that the order itself does not remember, as it was placed.
///
/// One document, sealed as a whole: it has the buyer's name and what was bought.
struct WalletOrderDetails: Hashable, Sendable {
    /// What the buyer knows each payment's merchant by.
    var merchantNames: [PaymentID: String] = [:]
    /// Order number, items, customer and what paid; no fulfillments.
    var content = WalletOrderInput.Content()
    /// Texts by language and key.
    var localisations: [String: [String: String]] = [:]
    /// Pictures of what was bought.
    var pictures: [WalletOrderImage] = []

    /// The longest text of a field that only repeats what was told for the PSPs.
    private static let repeatedLimit = 60

    /// The details of an order that is about to be placed.
    ///
    /// - Parameters:
    ///   - draft: what the checkout asked for, with its tokens as they came.
    ///   - order: the order that was made of it.
    ///   - names: the names of merchants by their external identifiers.
    init(_ draft: OrderDraft, of order: Order, merchants names: [String: String]) {
        for payment in order.payments { merchantNames[payment.id] = names[payment.externalIdentifier] }
        content.orderNumber = draft.walletOrder?.orderNumber
        localisations = draft.walletOrder?.localisations ?? [:]
        pictures = (draft.walletOrder?.pictures ?? [:]).sorted { $0.key < $1.key }.map { name, bytes in
            WalletOrderImage(bytes, named: name)
        }
        for context in draft.contexts {
            let payment = order.payments.first { $0.externalIdentifier == context.externalIdentifier }?.id
            content.lineItems += context.lineItems.enumerated().map { index, item in
                let inWallet = context.walletItems.indices.contains(index) ? context.walletItems[index] : nil
                return WalletLineItem(
                    payment: payment,
                    title: item.name,
                    quantity: item.quantity,
                    price: item.unitAmount,
                    image: inWallet?.picture,
                    gtin: inWallet?.gtin,
                    sku: item.productCode
                )
            }
        }
        content.customer = draft.buyer.flatMap { WalletCustomer($0) }
        let tokens = ([draft.payment] + draft.contexts.map(\.payment)).compactMap { instrument in
            if case .encryptedApplePay(let token)? = instrument?.credential { token } else { nil }
        }
        // Both stand beside what is signed: they are shown to the buyer, and nothing is decided by them.
        content.paymentMethod = tokens.lazy.compactMap(\.displayName).first.flatMap { Self.line($0) }
        content.applePayTransactionIdentifier = tokens.lazy.compactMap(\.transactionIdentifier).first
            .flatMap { Self.line($0, limit: WalletOrderLimits.identifier) }
    }

    /// Refuses pictures that no package could have, also those that no item names yet: a fulfillment may.
    func check() throws(WalletOrderProblems) {
        let violations = Violations()
        let place = JSONPointer.root.appending("images")
        for picture in pictures {
            for problem in picture.problems() { violations.add(problem) }
            if picture.bytes.count > WalletOrderLimits.pictureBytes {
                let detail = "Must have at most \(WalletOrderLimits.pictureBytes) bytes."
                violations.add(at: place.appending(picture.name), "too_large", detail)
            }
            let stem = picture.name.lowercased().split(separator: ".").first.map(String.init) ?? ""
            if Self.ownPictures.contains(stem) {
                violations.add(at: place.appending(picture.name), "not_allowed", "Is the marketplace's own picture.")
            }
        }
        try WalletOrderProblems.throwIfAny(violations.all)
    }

    /// What the marketplace's own pictures are called in packages.
    private static let ownPictures: Set<String> = ["logo", "tracking-light", "tracking-dark"]

    /// A text without control characters, cut off; nil if nothing is left of it.
    static func line(_ text: String, limit: Int = repeatedLimit) -> String? {
        let plain = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }.prefix(limit)
        return plain.isEmpty ? nil : String(String.UnicodeScalarView(plain))
    }
}

extension WalletCustomer {
    /// Who pays, as far as Wallet shows it; nil if nothing is known.
    fileprivate init?(_ buyer: BuyerDetails) {
        let parts = buyer.nameParts
        let email = buyer.email.flatMap { $0.count <= WalletOrderLimits.label ? $0 : nil }
        guard parts != nil || buyer.name != nil || email != nil || buyer.phone != nil else { return nil }
        self.init(
            givenName: parts?.first ?? buyer.name,
            familyName: parts?.last,
            emailAddress: email,
            phoneNumber: buyer.phone
        )
    }
}

extension WalletOrderDetails {
    /// The details as bytes, only ever for the vault.
    var document: [UInt8] {
        let items = content.lineItems.map { item in
            JSON.object(omittingAbsent: [
                "payment": item.payment.map { .string($0.text) }, "title": .string(item.title),
                "quantity": .integer(item.quantity), "price": item.price.map(JSON.integer),
                "image": item.image.map(JSON.string), "gtin": item.gtin.map(JSON.string),
                "sku": item.sku.map(JSON.string),
            ])
        }
        return JSON.object(omittingAbsent: [
            "merchants": .object(
                merchantNames.sorted { $0.key < $1.key }.map { .init($0.key.text, .string($0.value)) }
            ),
            "order_number": content.orderNumber.map(JSON.string), "line_items": .array(items),
            "customer": content.customer?.json, "payment_method": content.paymentMethod.map(JSON.string),
            "transaction": content.applePayTransactionIdentifier.map(JSON.string),
            "pictures": pictures.isEmpty
                ? .none : .some(.object(pictures.map { .init($0.name, .string(Base64.encode($0.bytes))) })),
            "localizations": .object(
                localisations.sorted { $0.key < $1.key }.map { language, texts in
                    .init(language, .object(texts.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
                }
            ),
        ]).bytes
    }

    /// Reads details back; nil for what ``document`` does not write.
    init?(document: [UInt8]) {
        guard let json = try? JSON.parse(document) else { return nil }
        for member in json["merchants"]?.objectValue ?? [] {
            guard let payment = PaymentID(member.key), let name = member.value.stringValue else { return nil }
            merchantNames[payment] = name
        }
        for item in json["line_items"]?.arrayValue ?? [] {
            guard let title = item["title"]?.stringValue, let quantity = item["quantity"]?.integerValue else {
                return nil
            }
            content.lineItems.append(
                WalletLineItem(
                    payment: item["payment"]?.stringValue.flatMap { PaymentID($0) },
                    title: title,
                    quantity: quantity,
                    price: item["price"]?.integerValue,
                    image: item["image"]?.stringValue,
                    gtin: item["gtin"]?.stringValue,
                    sku: item["sku"]?.stringValue
                )
            )
        }
        for member in json["pictures"]?.objectValue ?? [] {
            guard let bytes = member.value.stringValue.flatMap({ Base64.decode($0) }) else { return nil }
            pictures.append(WalletOrderImage(name: member.key, bytes: bytes))
        }
        for language in json["localizations"]?.objectValue ?? [] {
            for text in language.value.objectValue ?? [] {
                localisations[language.key, default: [:]][text.key] = text.value.stringValue
            }
        }
        content.orderNumber = json["order_number"]?.stringValue
        content.customer = json["customer"].map { WalletCustomer($0) }
        content.paymentMethod = json["payment_method"]?.stringValue
        content.applePayTransactionIdentifier = json["transaction"]?.stringValue
    }
}

extension WalletCustomer {
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "given_name": givenName.map(JSON.string), "family_name": familyName.map(JSON.string),
            "organization_name": organizationName.map(JSON.string), "email": emailAddress.map(JSON.string),
            "phone": phoneNumber.map(JSON.string),
        ])
    }

    fileprivate init(_ json: JSON) {
        self.init(
            givenName: json["given_name"]?.stringValue,
            familyName: json["family_name"]?.stringValue,
            organizationName: json["organization_name"]?.stringValue,
            emailAddress: json["email"]?.stringValue,
            phoneNumber: json["phone"]?.stringValue
        )
    }
}
