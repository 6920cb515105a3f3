import Crypto
import OpenSSLCMS

/// Writes signatures piece by piece, so that a test can have any piece otherwise than Apple has it.
struct SignatureBuilder {
    /// How lengths of the outer elements are written.
    enum Framing: Sendable {
        /// As Apple does: indefinite.
        case indefinite
        /// In DER.
        case definite
    }

    /// What is signed.
    var content: [UInt8]
    /// Who signs; one SignerInfo each.
    var signers: [SigningIdentity]
    /// The certificates, in the order in which they are written.
    var certificates: [Certificate]
    /// How lengths are written.
    var framing = Framing.indefinite
    /// The signing time as an element.
    var signingTime: [UInt8]? = DER.element(0x17, Array("260301120000Z".utf8))
    /// The content type that is signed, as the content octets of an object identifier.
    var contentType: [UInt8]? = Self.data
    /// The signed digest; nil for the right one.
    var messageDigest: [UInt8]?
    /// Further signed attributes, each a whole element.
    var moreAttributes: [[UInt8]] = []
    /// What is embedded, as the whole of `[0]`.
    var embedded: [UInt8] = []
    /// What follows the signature proper in each SignerInfo.
    var unsignedAttributes: [UInt8] = []
    /// What the signer names itself; nil for what stands in its certificate.
    var issuerAndSerial: [UInt8]?
    /// The version of each SignerInfo.
    var signerVersion: UInt8 = 1
    /// The parameters of SHA-256: none, or NULL.
    var digestParameters: [UInt8] = []
    /// The signature algorithm, as the content octets of AlgorithmIdentifier; nil for the signer's.
    var signatureAlgorithm: [UInt8]?

    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
    static let ecdsa = DER.element(6, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])
    static let rsa = DER.element(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 11]) + [5, 0]

    /// The message.
    func bytes() throws -> [UInt8] {
        let infos = try signers.map { try signerInfo($0) }
        let signed = frame(
            0x30,
            [2, 1, 1] + DER.element(0x31, sha256)
                + frame(0x30, DER.element(6, Self.data) + embedded)
                + frame(0xA0, certificates.flatMap(\.der)) + DER.element(0x31, infos.flatMap(\.self))
        )
        return frame(0x30, DER.element(6, Array(Self.data.dropLast()) + [2]) + frame(0xA0, signed))
    }

    /// A signed attribute.
    static func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
        DER.element(0x30, DER.element(6, type) + DER.element(0x31, value))
    }

    /// An attribute of PKCS #9 by its last number.
    static func attribute(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        attribute(Array(data.dropLast(2)) + [9, number], value)
    }

    /// The digest algorithm.
    var sha256: [UInt8] {
        DER.element(0x30, DER.element(6, [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]) + digestParameters)
    }

    private func frame(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        framing == .definite ? DER.element(tag, content) : [tag, 0x80] + content + [0, 0]
    }

    private func signerInfo(_ signer: SigningIdentity) throws -> [UInt8] {
        let digest = messageDigest ?? Array(SHA256.hash(data: content))
        var attributes = contentType.map { [Self.attribute(3, DER.element(6, $0))] } ?? []
        if let signingTime { attributes.append(Self.attribute(5, signingTime)) }
        attributes += moreAttributes
        attributes.append(Self.attribute(4, DER.element(4, digest)))
        let joined = attributes.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
        let signature = try signer.key.signature(forSHA256: Array(SHA256.hash(data: DER.element(0x31, joined))))
        let algorithm = signatureAlgorithm ?? (signer.key.kind == .p256 ? Self.ecdsa : Self.rsa)
        return DER.element(
            0x30,
            [2, 1, signerVersion] + DER.element(0x30, issuerAndSerial ?? signer.certificate.issuerAndSerial) + sha256
                + DER.element(0xA0, joined) + DER.element(0x30, algorithm) + DER.element(4, signature)
                + unsignedAttributes
        )
    }
}
