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

/// Reads UTCTime and GeneralizedTime as RFC 5652, 11.3 wants them: with seconds, in UTC, without fractions.
enum SigningTime {
    /// The next element, which has to be a time, in seconds since 1970.
    static func seconds(_ cursor: inout BERCursor) throws(BERCursor.Malformation) -> Int64 {
        let element = try cursor.next()
        let text = cursor.bytes[element.content]
        switch (element.tag, text.count, text.last) {
        case (0x17, 13, UInt8(ascii: "Z")):
            guard let digits = digits(text.dropLast()) else { throw .unexpected }
            return try seconds([digits[0] < 5 ? 2 : 1, digits[0] < 5 ? 0 : 9] + digits)
        case (0x18, 15, UInt8(ascii: "Z")):
            guard let digits = digits(text.dropLast()) else { throw .unexpected }
            return try seconds(digits)
        default: throw .unexpected
        }
    }

    private static func digits(_ text: ArraySlice<UInt8>) -> [Int64]? {
        let digits = text.compactMap { (0x30...0x39).contains($0) ? Int64($0 - 0x30) : nil }
        return digits.count == text.count ? digits : nil
    }

    /// The seconds of `YYYYMMDDHHMMSS`.
    private static func seconds(_ digits: [Int64]) throws(BERCursor.Malformation) -> Int64 {
        func number(_ start: Int, _ count: Int) -> Int64 { digits[start..<start + count].reduce(0) { $0 * 10 + $1 } }
        let date = CalendarDay(year: Int(number(0, 4)), month: Int(number(4, 2)), day: Int(number(6, 2)))
        let (hour, minute, second) = (number(8, 2), number(10, 2), number(12, 2))
        guard let date, hour < 24, minute < 60, second < 60 else { throw .unexpected }
        return Int64(date.number) * 86_400 + hour * 3600 + minute * 60 + second
    }
}

/// The object identifiers that a token's signature may have, as the content octets of their DER.
enum ObjectIdentifiers {
    /// id-signedData, 1.2.840.113549.1.7.2 (RFC 5652, 5.1).
    static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
    /// id-data, 1.2.840.113549.1.7.1 (RFC 5652, 4).
    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
    /// id-contentType, 1.2.840.113549.1.9.3 (RFC 5652, 11.1).
    static let contentType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 3]
    /// id-messageDigest, 1.2.840.113549.1.9.4 (RFC 5652, 11.2).
    static let messageDigest: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 4]
    /// id-signingTime, 1.2.840.113549.1.9.5 (RFC 5652, 11.3).
    static let signingTime: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 5]
    /// id-aa-CMSAlgorithmProtection, 1.2.840.113549.1.9.52 (RFC 6211, 2).
    static let algorithmProtection: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 52]
    /// id-sha256, 2.16.840.1.101.3.4.2.1 (RFC 5754, 2.2).
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
    /// ecdsa-with-SHA256, 1.2.840.10045.4.3.2 (RFC 5758, 3.2).
    static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2]
    /// sha256WithRSAEncryption, 1.2.840.113549.1.1.11 (RFC 5754, 3.2).
    static let sha256WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 11]
    /// rsaEncryption, 1.2.840.113549.1.1.1, which signs with the digest named beside it (RFC 3370, 3.2).
    static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]

    /// Whether content octets are those of an object identifier: whole numbers without leading zeros (X.690, 8.19).
    static func isWellFormed(_ octets: [UInt8]) -> Bool {
        guard let last = octets.last, last < 0x80, octets[0] != 0x80 else { return false }
        return zip(octets, octets.dropFirst()).allSatisfy { $0 >= 0x80 || $1 != 0x80 }
    }
}
