import Synchronization

/// The signers verified so far, by the exact certificates that came with their signatures; never a token.
///
/// Apple uses a handful of signers. Only who owns a certificate of Apple's could fill it: then it is emptied.
final class SignerCache: Sendable {
    /// How many signers are kept at most.
    static let limit = 64

    private let signers = Mutex<[[UInt8]: KnownSigner]>([:])

    /// The signer that came with these certificates before.
    subscript(certificates: [UInt8]) -> KnownSigner? { signers.withLock { $0[certificates] } }

    /// How many are kept.
    var count: Int { signers.withLock(\.count) }

    /// Keeps a signer.
    func insert(_ signer: KnownSigner, for certificates: [UInt8]) {
        signers.withLock { signers in
            if signers.count >= Self.limit { signers.removeAll() }
            signers[certificates] = signer
        }
    }
}
