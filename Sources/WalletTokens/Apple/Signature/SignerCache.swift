import Synchronization

/// The signers verified so far, by the exact certificates that came with their signatures; never a token.
///
/// Apple uses a handful of signers. Only who owns a certificate of Apple's could fill it: then it is emptied.
final class SignerCache: Sendable {
    /// How many signers are kept at most.
    static let limit = 64

    private struct Entry {
        let certificates: [UInt8]
        let signer: KnownSigner
    }

    /// So few that looking at one after the other is faster than hashing two kilobytes.
    private let signers = Mutex<[Entry]>([])

    /// The signer that came with these certificates before.
    subscript(certificates: [UInt8]) -> KnownSigner? {
        signers.withLock { $0.first { $0.certificates == certificates }?.signer }
    }

    /// How many are kept.
    var count: Int { signers.withLock(\.count) }

    /// Keeps a signer.
    func insert(_ signer: KnownSigner, for certificates: [UInt8]) {
        signers.withLock { signers in
            guard !signers.contains(where: { $0.certificates == certificates }) else { return }
            if signers.count >= Self.limit { signers.removeAll() }
            signers.append(Entry(certificates: certificates, signer: signer))
        }
    }
}
