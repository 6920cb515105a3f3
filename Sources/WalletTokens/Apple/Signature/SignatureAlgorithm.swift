/// How a token's signature is made, with SHA-256 in either case.
enum SignatureAlgorithm: Hashable, Sendable {
    /// ECDSA.
    case ecdsa
    /// RSA, PKCS #1 v1.5.
    case rsa

    /// Reads an AlgorithmIdentifier whose tag is `tag`.
    ///
    /// ECDSA has no parameters (RFC 5758, 3.2); RSA has NULL, which may be left out (RFC 4055, 5).
    init(_ cursor: inout BERCursor, tag: UInt8 = 0x30) throws(BERCursor.Malformation) {
        let (identifier, hasParameters) = try Self.identifier(&cursor, tag: tag)
        switch identifier {
        case ObjectIdentifiers.ecdsaWithSHA256 where !hasParameters: self = .ecdsa
        case ObjectIdentifiers.sha256WithRSA, ObjectIdentifiers.rsa: self = .rsa
        default: throw .unexpected
        }
    }

    /// Reads the AlgorithmIdentifier of SHA-256 and takes no other; Apple wrote NULL behind it until about 2022.
    static func expectSHA256(_ cursor: inout BERCursor) throws(BERCursor.Malformation) {
        guard try identifier(&cursor, tag: 0x30).octets == ObjectIdentifiers.sha256 else { throw .unexpected }
    }

    /// An identifier, and whether it has parameters, which may be NULL and nothing else.
    private static func identifier(
        _ cursor: inout BERCursor,
        tag: UInt8
    ) throws(BERCursor.Malformation) -> (octets: [UInt8], hasParameters: Bool) {
        var algorithm = try cursor.enter(tag)
        let octets = algorithm.copy(try algorithm.next(0x06).content)
        let hasParameters = !algorithm.isAtEnd
        if hasParameters, !(try algorithm.next(0x05).content.isEmpty) { throw .unexpected }
        try algorithm.finish()
        return (octets, hasParameters)
    }
}
