import WireFormats

/// The two fields of the form that Braintree posts.
struct WebhookForm {
    /// `public_key|code` pairs, joined by `&`.
    let signature: String
    /// Base 64 with line breaks, as it was signed.
    let payload: String

    /// Reads a body; nil if a field is missing, comes twice, is not ASCII, or is not encoded as forms are.
    ///
    /// Other fields are none of Braintree's, and nothing is verified yet.
    init?(_ body: [UInt8]) {
        var fields: [String: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.decoded(parts[0]), let value = Self.decoded(parts[1]),
                ["bt_signature", "bt_payload"].contains(name), fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        guard let signature = fields["bt_signature"], let payload = fields["bt_payload"] else { return nil }
        self.signature = signature
        self.payload = payload
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        guard let bytes = PercentEncoding.decode(text, plusIsSpace: true), bytes.allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
