import Domain
import OpenSSLCMS
import StrictJSON
import WalletOrders
import WalletTwins

/// Packages of throw-away keys.
enum TestPackage {
    /// When packages are signed and verified: five minutes after the order was placed.
    static let moment = TestOrder.placedAt.adding(milliseconds: 300_000)
    /// Keys that are made once.
    static let keys = Result {
        try OrderTypeKeys(
            orderTypeIdentifier: TestOrder.texts.orderTypeIdentifier,
            notBefore: TestOrder.placedAt.adding(milliseconds: -86_400_000)
        )
    }
    /// The two pictures that ``TestOrder/full()`` names.
    static let images = [
        WalletOrderImage(name: "logo.png", bytes: PlainPicture.png()),
        WalletOrderImage(name: "suitcase.png", bytes: PlainPicture.png(colour: (200, 40, 40))),
    ]

    static func signer(_ keys: OrderTypeKeys? = nil) throws -> WalletOrderSigner {
        let keys = try keys ?? self.keys.get()
        return try WalletOrderSigner(
            certificate: keys.orderType.certificate.pem(),
            key: keys.orderType.key.pem(),
            intermediates: [keys.authority.certificate.pem()]
        )
    }

    static func roots() throws -> TrustRoots { try TrustRoots([keys.get().root.certificate]) }

    /// A package with everything in it.
    static func full() throws -> [UInt8] {
        try WalletOrderPackage(WalletOrderDocument(TestOrder.full()), images: images)
            .archive(signedBy: signer(), at: moment)
    }

    /// The verdict on a package at ``moment``.
    static func verdict(_ bytes: [UInt8], orderType: String? = nil) throws -> WalletOrderVerifier.Verdict {
        try WalletOrderVerifier.verify(bytes, orderTypeIdentifier: orderType, roots: roots(), at: moment)
    }

    /// The files of the package with everything, and its manifest and signature, in their order.
    static func files() throws -> [WalletOrderFile] {
        let package = try WalletOrderPackage(WalletOrderDocument(TestOrder.full()), images: images)
        return try signed(package.files, manifest: package.manifest)
    }

    /// Files with a manifest and a signature of it.
    static func signed(_ files: [WalletOrderFile], manifest: [UInt8]) throws -> [WalletOrderFile] {
        let keys = try keys.get()
        let signature = try SignedMessage.signature(
            over: manifest,
            by: [keys.orderType],
            certificates: [keys.authority.certificate],
            at: moment.microseconds / 1_000_000
        )
        return files + [
            WalletOrderFile(path: "manifest.json", bytes: manifest),
            WalletOrderFile(path: "signature", bytes: signature),
        ]
    }
}
