import COpenSSL

extension [UInt8] {
    /// Overwrites the bytes with zeros in a way that no optimizer leaves out, and empties the array.
    ///
    /// Other arrays that still share the storage keep theirs; a secret has to be cleansed by its only owner.
    package mutating func cleanse() {
        unsafe withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
        removeAll()
    }
}
