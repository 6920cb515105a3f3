/// Why a signed message is refused.
package enum SignedMessageRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has more bytes than are read.
    case tooLong(limit: Int)
    /// It is not SignedData that OpenSSL can read.
    case malformed(String)
    /// Something follows it.
    case trailingBytes
    /// The content stands in it instead of beside it.
    case embeddedContent
    /// It has no signer, or several.
    case signerCount(Int)
    /// Its signer's certificate is not in it.
    case unknownSigner
    /// The signature, or the digest it covers, does not agree.
    case invalidSignature(String)

    /// The reason in words.
    package var description: String {
        switch self {
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .malformed(let reason): "it is not CMS SignedData: \(reason)"
        case .trailingBytes: "something follows it"
        case .embeddedContent: "it holds content, and should be detached"
        case .signerCount(let count): "it has \(count) signers, and should have one"
        case .unknownSigner: "the signer's certificate is not in it"
        case .invalidSignature(let reason): "the signature does not agree: \(reason)"
        }
    }
}
