import Domain
import Gateway
import Settings
import Storage

extension Declaration {
    /// What is declared, as it is compared with what is stored: every secret's file by its path from the root, since the
    /// server may run in another folder.
    var document: MarketplaceDocument {
        MarketplaceDocument(
            MarketplaceTable.Marketplace(
                id: marketplace.id,
                name: marketplace.name,
                wallets: WalletAccess(
                    applePay: applePay.map(WalletAccess.ApplePay.init),
                    googlePay: googlePay.map(WalletAccess.GooglePay.init)
                )
            ),
            accounts: pspAccounts.map { account in
                PSPAccount(
                    marketplace: marketplace.id,
                    id: account.id,
                    psp: account.psp,
                    baseURL: account.baseURL,
                    credentials: account.credentials.mapValues(\.absolute.description),
                    updatedAt: Timestamp(microseconds: 0)
                )
            },
            merchants: merchants.map { .init($0.document, $0.callback.map(EndpointDocument.init)) },
            endpoint: marketplace.callback.map(EndpointDocument.init)
        )
    }
}

extension EndpointDocument {
    fileprivate init(_ declared: CallbackDeclaration) {
        self.init(
            url: declared.url,
            secret: declared.secret?.absolute.description,
            identity: declared.clientIdentity.map { identity in
                CallbackEndpoint.Identity(
                    certificate: identity.certificate.absolute.description,
                    key: identity.key.absolute.description
                )
            }
        )
    }
}

extension WalletAccess.KeyPair {
    fileprivate init(_ declared: ApplePayDeclaration.Identity) {
        self.init(certificate: declared.certificate.absolute.description, key: declared.key.absolute.description)
    }
}

extension WalletAccess.ApplePay {
    fileprivate init(_ declared: ApplePayDeclaration) {
        self.init(
            processing: declared.processingCertificates.map(WalletAccess.KeyPair.init),
            identity: declared.merchantIdentity.map(WalletAccess.KeyPair.init),
            environment: declared.environment,
            windowMilliseconds: declared.signingTimeWindow,
            root: declared.root?.absolute.description,
            domainAssociation: declared.domainAssociation?.absolute.description,
            sessionURL: declared.sessionURL,
            sessionAuthorities: declared.sessionAuthorities?.absolute.description
        )
    }
}

extension WalletAccess.GooglePay {
    fileprivate init(_ declared: GooglePayDeclaration) {
        self.init(
            recipient: declared.recipient,
            gatewayMerchantID: declared.gatewayMerchantID,
            keys: declared.keys.map(\.absolute.description),
            roots: declared.rootKeys.absolute.description
        )
    }
}
