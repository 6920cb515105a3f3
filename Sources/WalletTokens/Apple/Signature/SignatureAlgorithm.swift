/// How a token's signature is made, with SHA-256 in either case.
enum SignatureAlgorithm: Hashable, Sendable {
    /// ECDSA.
    case ecdsa
    /// RSA, PKCS #1 v1.5.
    case rsa

    /// Reads an AlgorithmIdentifier whose tag is `tag`; the parameters are NULL or absent, as both are in use.
    init(_ cursor: inout BERCursor, tag: UInt8 = 0x30) throws(BERCursor.Malformation) {
        switch try Self.identifier(&cursor, tag: tag) {
        case ObjectIdentifiers.ecdsaWithSHA256: self = .ecdsa
        case ObjectIdentifiers.sha256WithRSA, ObjectIdentifiers.rsa: self = .rsa
        default: throw .unexpected
        }
    }

    /// Reads the AlgorithmIdentifier of SHA-256 and takes no other.
    static func expectSHA256(_ cursor: inout BERCursor) throws(BERCursor.Malformation) {
        guard try identifier(&cursor, tag: 0x30) == ObjectIdentifiers.sha256 else { throw .unexpected }
    }

    private static func identifier(_ cursor: inout BERCursor, tag: UInt8) throws(BERCursor.Malformation) -> [UInt8] {
        var algorithm = try cursor.enter(tag)
        let identifier = algorithm.copy(try algorithm.next(0x06).content)
        if !algorithm.isAtEnd, !(try algorithm.next(0x05).content.isEmpty) { throw .unexpected }
        try algorithm.finish()
        return identifier
    }
}
