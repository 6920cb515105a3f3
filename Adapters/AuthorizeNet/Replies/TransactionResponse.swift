import Domain
import StrictJSON

/// What an outcome needs of `transactionResponse`, the answer to a transaction.
struct TransactionResponse {
    /// 1 approved, 2 declined, 3 error, 4 held for review.
    var responseCode: String
    /// The transaction; nil if none was made.
    var id: String?
    /// The transaction it was done to.
    var reference: String?
    /// Whether the account or the request is in test mode, in which nothing is processed.
    var isTest: Bool
    /// The card network, as Authorize.Net names it.
    var network: String?
    var last4: String?
    /// The code of the first message of a transaction that was not refused.
    var message: String?
    /// The code of the first error.
    var error: String?
    /// The part of the amount that was approved, for a prepaid card.
    var approvedAmount: JSON?

    /// Reads the object; nil if it has no response code.
    init?(_ json: JSON?) {
        guard let json, let code = AuthorizeNetReply.code(json["responseCode"]) else { return nil }
        responseCode = code
        id = CardDigits.transaction(json["transId"])
        reference = CardDigits.transaction(json["refTransID"])
        isTest = json["testRequest"]?.stringValue == "1"
        network = json["accountType"]?.stringValue.flatMap(Self.network)
        last4 = CardDigits.last4(json["accountNumber"]?.stringValue)
        message = AuthorizeNetReply.code(json["messages"]?[0]?["code"])
        error = AuthorizeNetReply.code(json["errors"]?[0]?["errorCode"])
        approvedAmount = json["prePaidCard"]?["approvedAmount"]
    }

    /// The name of a card network; nil if it is no word.
    static func network(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || $0 == UInt8(ascii: " ")
        }
        return isWord && (1...30).contains(text.utf8.count) ? text : nil
    }
}
