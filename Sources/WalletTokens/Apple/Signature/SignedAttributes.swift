import Domain

/// The signed attributes of a token's signature, each read and checked for its form (RFC 5652, 5.3 and 11).
struct SignedAttributes: Hashable, Sendable {
    /// The digest of what is signed.
    let messageDigest: [UInt8]
    /// When it was signed, in seconds since 1970.
    let signingSeconds: Int64

    /// Reads the attributes.
    ///
    /// An attribute that nobody knows is let through, since the signature covers it; none may stand there twice.
    init(_ attributes: BERCursor, _ algorithm: SignatureAlgorithm) throws(BERCursor.Malformation) {
        var attributes = attributes
        var seen: Set<[UInt8]> = []
        var digest: [UInt8]?
        var seconds: Int64?
        while !attributes.isAtEnd {
            var attribute = try attributes.enter(0x30)
            let type = attribute.copy(try attribute.next(0x06).content)
            var values = try attribute.enter(0x31)
            try attribute.finish()
            guard ObjectIdentifiers.isWellFormed(type), seen.insert(type).inserted else { throw .unexpected }
            switch type {
            case ObjectIdentifiers.contentType:
                guard values.copy(try values.next(0x06).content) == ObjectIdentifiers.data else { throw .unexpected }
            case ObjectIdentifiers.messageDigest: digest = values.copy(try values.next(0x04).content)
            case ObjectIdentifiers.signingTime: seconds = try SigningTime.seconds(&values)
            case ObjectIdentifiers.algorithmProtection: try Self.checkProtection(&values, algorithm)
            default: continue
            }
            try values.finish()
        }
        guard seen.contains(ObjectIdentifiers.contentType), let digest, let seconds else { throw .unexpected }
        messageDigest = digest
        signingSeconds = seconds
    }

    /// The algorithms named again under the signature have to be those that are used (RFC 6211, 3).
    private static func checkProtection(
        _ values: inout BERCursor,
        _ algorithm: SignatureAlgorithm
    ) throws(BERCursor.Malformation) {
        var protection = try values.enter(0x30)
        try SignatureAlgorithm.expectSHA256(&protection)
        guard try SignatureAlgorithm(&protection, tag: 0xA1) == algorithm else { throw .unexpected }
        try protection.finish()
    }
}
