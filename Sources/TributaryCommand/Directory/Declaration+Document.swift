import Domain
import Gateway
import Settings
import Storage

extension Declaration {
    /// What is declared, as it is compared with what is stored: every secret's file by its path from the root, since the
    /// server may run in another folder.
    var document: MarketplaceDocument { document(naming: { $0.absolute.description }) }

    /// What is declared, with secrets named as their references are written, which findings are about.
    var documentAsWritten: MarketplaceDocument { document(naming: \.description) }

    private func document(naming name: (SecretReference) -> String) -> MarketplaceDocument {
        MarketplaceDocument(
            MarketplaceTable.Marketplace(
                id: marketplace.id,
                name: marketplace.name,
                wallets: WalletAccess(
                    applePay: applePay.map { WalletAccess.ApplePay($0, name) },
                    googlePay: googlePay.map { WalletAccess.GooglePay($0, name) },
                    orders: walletOrders.map { WalletAccess.Orders($0, name) }
                ),
                profile: marketplace.profile,
                mode: marketplace.mode
            ),
            accounts: pspAccounts.map { account in
                PSPAccount(
                    marketplace: marketplace.id,
                    id: account.id,
                    psp: account.psp,
                    baseURL: account.baseURL,
                    credentials: account.credentials.mapValues(name),
                    updatedAt: Timestamp(microseconds: 0),
                    mode: marketplace.mode
                )
            },
            merchants: merchants.map { merchant in
                .init(merchant.document, merchant.callback.map { EndpointDocument($0, name) })
            },
            endpoint: marketplace.callback.map { EndpointDocument($0, name) }
        )
    }
}

extension EndpointDocument {
    fileprivate init(_ declared: CallbackDeclaration, _ name: (SecretReference) -> String) {
        self.init(
            url: declared.url,
            secret: declared.secret.map(name),
            identity: declared.clientIdentity.map { identity in
                CallbackEndpoint.Identity(
                    certificate: name(identity.certificate),
                    key: name(identity.key)
                )
            }
        )
    }
}

extension WalletAccess.KeyPair {
    fileprivate init(_ declared: ApplePayDeclaration.Identity, _ name: (SecretReference) -> String) {
        self.init(certificate: name(declared.certificate), key: name(declared.key))
    }
}

extension WalletAccess.ApplePay {
    fileprivate init(_ declared: ApplePayDeclaration, _ name: (SecretReference) -> String) {
        self.init(
            processing: declared.processingCertificates.map { WalletAccess.KeyPair($0, name) },
            identity: declared.merchantIdentity.map { WalletAccess.KeyPair($0, name) },
            environment: declared.environment,
            windowMilliseconds: declared.signingTimeWindow,
            root: declared.root.map(name),
            domainAssociation: declared.domainAssociation.map(name),
            sessionURL: declared.sessionURL,
            sessionAuthorities: declared.sessionAuthorities.map(name)
        )
    }
}

extension WalletAccess.Orders {
    fileprivate init(_ declared: WalletOrdersDeclaration, _ name: (SecretReference) -> String) {
        self.init(
            type: declared.type,
            identity: WalletAccess.KeyPair(declared.identity, name),
            intermediates: declared.intermediates.map(name),
            merchantIdentifier: declared.merchantIdentifier,
            logo: name(declared.logo),
            managementURL: declared.managementURL,
            webServiceURL: declared.webServiceURL,
            pushURL: declared.pushURL,
            pushAuthorities: declared.pushAuthorities.map(name),
            provider: declared.provider.map { provider in
                Provider(
                    displayName: provider.displayName,
                    url: provider.url,
                    logoLight: name(provider.logoLight),
                    logoDark: name(provider.logoDark)
                )
            }
        )
    }
}

extension WalletAccess.GooglePay {
    fileprivate init(_ declared: GooglePayDeclaration, _ name: (SecretReference) -> String) {
        self.init(
            recipient: declared.recipient,
            gatewayMerchantID: declared.gatewayMerchantID,
            keys: declared.keys.map(name),
            roots: name(declared.rootKeys)
        )
    }
}
