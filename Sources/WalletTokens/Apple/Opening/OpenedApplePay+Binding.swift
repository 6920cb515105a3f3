import Crypto
import WireFormats

extension OpenedApplePay {
    /// Whether the token carries the hash of these bytes, which the payment request gave the sheet.
    package func covers(applicationData: [UInt8]) -> Bool {
        applicationDataHash == Hexadecimal.encode(Array(SHA256.hash(data: applicationData)))
    }
}
