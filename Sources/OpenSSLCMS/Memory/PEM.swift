/// Telling PEM (RFC 7468) from DER.
enum PEM {
    /// Whether the bytes are text with a PEM boundary.
    static func isPEM(_ bytes: [UInt8]) -> Bool { contains(bytes, "-----BEGIN ") }

    /// Whether the bytes contain this text.
    static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.firstRange(of: wanted) != nil
    }
}
