import Crypto
package import Domain

extension Break {
    /// Its identifier: the same for the same break of a marketplace, wherever and however often it is found.
    package func id(of marketplace: String) -> BreakID {
        var hash = SHA256()
        hash.update(data: Array(marketplace.utf8))
        hash.update(data: [0])
        hash.update(data: Array(key.utf8))
        let bits = hash.finalize().prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return BreakID(bits: bits)
    }
}
