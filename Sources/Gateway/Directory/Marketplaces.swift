package import Domain
package import SQL
import Storage

/// Why the directory does not do what was asked: what was named is not there, or is not what it would have to be.
package enum DirectoryRefusal: Error, Hashable, Sendable {
    /// There is no marketplace at all.
    case noMarketplace
    /// There is no marketplace with that identifier.
    case unknownMarketplace(String)
    /// None is named, and there are these.
    case severalMarketplaces([String])
    /// The marketplace has no merchant with that external identifier or id.
    case unknownMerchant(String)
    /// A key is to be bound to a merchant that its marketplace does not have.
    case unknownMerchantOfKey(String, marketplace: String)
    /// The marketplace has no PSP account with that identifier.
    case unknownAccount(String)
    /// An account is declared at another PSP than the one where it has a history.
    case accountElsewhere(id: String, known: String, declared: String)
    /// A marketplace is declared in another mode than it was made in.
    case modeChanged(String, known: MarketplaceMode)
    /// There is no endpoint of callbacks with that name.
    case unknownEndpoint(String)
    /// Several endpoints have that name: these, by identifier and address.
    case severalEndpoints(String, [CallbackEndpointName])
    /// There is no callback with that identifier.
    case unknownCallback(CallbackID)
    /// There is no key to seal a signing secret with.
    case noSealingKey
    /// A key that everybody may read would open more than pages need.
    case publishableKeyWithOtherScopes
    /// A key would give a scope that it has not itself.
    case scopeNotHeld(String)
    /// A key that ends then would make one that goes on.
    case keyOutlivesMaker(Timestamp)
    /// A key that may come from some networks only would make one that may come from others.
    case networkNotHeld
    /// Another key of the marketplace, which is not revoked, is called so.
    case keyNameInUse(String, KeyID)
    /// This key was made under the idempotency key, and is another than is asked for.
    case keyRequestReused(KeyID)
    /// An API key would have ended before it was made.
    case keyEndsInThePast
    /// An API key is not valid in the marketplace, or lacks that scope.
    case keyLacksScope(String)

    /// An endpoint of callbacks, by identifier and address.
    package struct CallbackEndpointName: Hashable, Sendable {
        /// Its identifier.
        package let id: EndpointID
        /// Its address.
        package let url: String

        /// Names an endpoint.
        package init(id: EndpointID, url: String) {
            self.id = id
            self.url = url
        }
    }
}

/// The marketplace that somebody means, who may leave its name out while there is only one.
package struct MarketplaceChoice: Hashable, Sendable {
    /// The name; nil if it was left out.
    package let name: String?

    /// A choice by name, or by there being only one.
    package init(_ name: String?) { self.name = name }

    /// The marketplace that is meant.
    ///
    /// - Throws: ``DirectoryRefusal`` if there is none, no such one, or several and none is named; `SQLError`.
    package func marketplace(in session: any Session) throws -> String {
        let known = try MarketplaceTable.all(in: session).map(\.id)
        if let name {
            guard known.contains(name) else { throw DirectoryRefusal.unknownMarketplace(name) }
            return name
        }
        guard let first = known.first else { throw DirectoryRefusal.noMarketplace }
        guard known.count == 1 else { throw DirectoryRefusal.severalMarketplaces(known) }
        return first
    }

    /// The marketplace to look at; nil for all of them.
    ///
    /// - Throws: ``DirectoryRefusal`` if there is no such one, or `SQLError`.
    package func filter(in session: any Session) throws -> String? {
        name == nil ? nil : try marketplace(in: session)
    }
}
