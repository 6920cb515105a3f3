import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing
import WireFormats

@Suite("Adyen's webhooks, in front of forgeries,")
struct AdyenForgeryTests {
    static let signedMembers = [
        "pspReference", "originalReference", "merchantAccountCode", "merchantReference", "amount", "eventCode",
        "success",
    ]

    /// The samples that hold exactly one item that is accepted.
    static var accepted: [String] {
        get throws { try WebhookSample.accepted.filter { $0.adapter == "adyen" }.map(\.name) }
    }

    @Test("are refused if any signed member is gone or another", arguments: try accepted)
    func changedMembers(name: String) throws {
        let item = try AdyenSample.item(name)
        for key in Self.signedMembers {
            for value in [nil, "x", "", .null] as [JSON?] {
                let changed = value.map { item.setting(key, $0) } ?? item.removing(key)
                guard AdyenSample.payload(changed) != AdyenSample.payload(item) else { continue }
                let refusal = try #require(try AdyenSample.reading([changed]).refusal, "\(key)")
                #expect([.wrongSignature, .malformed].contains(refusal))
            }
        }
        guard let amount = item["amount"] else { return }
        for other in [amount.setting("value", 10_001), amount.setting("currency", "EUR2"), amount.removing("value")] {
            #expect(try AdyenSample.reading([item.setting("amount", other)]).refusal == .wrongSignature)
        }
    }

    @Test("are refused if a bit of the signature is another, or it is that of another item")
    func otherSignatures() throws {
        let item = try AdyenSample.item("capture-succeeded")
        let code = try #require(item["additionalData"]?["hmacSignature"]?.stringValue)
        let bytes = try #require(Base64.decode(code))
        for index in bytes.indices {
            var forged = bytes
            forged[index] ^= 1 << (index % 8)
            let changed = item.setting("additionalData", ["hmacSignature": .string(Base64.encode(forged))])
            #expect(try AdyenSample.reading([changed]).refusal == .wrongSignature)
        }
        let other = try #require(try AdyenSample.item("refund-succeeded")["additionalData"])
        #expect(try AdyenSample.reading([item.setting("additionalData", other)]).refusal == .wrongSignature)
        for cut in [String(code.dropLast(4)), String(code.prefix(4))] {
            let changed = item.setting("additionalData", ["hmacSignature": .string(cut)])
            #expect(try AdyenSample.reading([changed]).refusal == .wrongSignature)
        }
        for none in [[:], ["hmacSignature": ""], ["hmacSignature": 1], ["hmacSignature": .null]] as [JSON] {
            #expect(try AdyenSample.reading([item.setting("additionalData", none)]).refusal == .unsigned)
        }
        #expect(try AdyenSample.reading([item.removing("additionalData")]).refusal == .unsigned)
    }

    @Test("are refused whole if one item of many is forged")
    func oneOfMany() throws {
        let good = try AdyenSample.item("capture-succeeded")
        for index in 0..<3 {
            var items = [good, good, good]
            items[index] = good.setting("success", "false")
            #expect(try AdyenSample.reading(items).refusal == .wrongSignature)
            items[index] = good.removing("additionalData")
            #expect(try AdyenSample.reading(items).refusal == .unsigned)
        }
    }

    @Test("do not let a part of one member pass for its neighbour's, though colons are not escaped")
    func shiftedMembers() throws {
        let item = try AdyenSample.item("refund-succeeded-customer-area")
            .setting("merchantReference", "BA1:Goodwill:17")
        let sealed = try AdyenSample.sealed(item)
        #expect(try AdyenSample.reading([sealed]).events?.first?.notices.count == 1)
        let shifted = sealed.setting("merchantAccountCode", "TributaryMarket:BA1")
            .setting("merchantReference", "Goodwill:17")
        #expect(AdyenSample.payload(shifted) == AdyenSample.payload(sealed))
        #expect(try AdyenSample.reading([shifted]).refusal == .malformed)
    }

    @Test("claim the same amount of the same payment whatever is changed that is not signed", arguments: try accepted)
    func unsignedMembers(name: String) throws {
        let item = try AdyenSample.item(name)
        let whole = try #require(try AdyenSample.reading([item]).events?.first)
        let signature = try #require(item["additionalData"]?["hmacSignature"])
        let forgeries = [
            item.removing("eventDate"), item.setting("eventDate", "yesterday"), item.setting("reason", "12"),
            item.setting("paymentMethod", 7), item.setting("operations", ["REFUND"]), item.removing("reason"),
            item.setting("additionalData", ["hmacSignature": signature]),
            item.setting("additionalData", ["hmacSignature": signature, "metadata.attempt": "att_x", "amount": 7]),
        ]
        for forgery in forgeries {
            let event = try #require(try AdyenSample.reading([forgery]).events?.first)
            #expect(event.id == whole.id && event.merchantAccount == whole.merchantAccount)
            for (notice, told) in zip(event.notices, whole.notices) {
                #expect(notice.subject == told.subject)
                #expect(Self.amount(notice) == Self.amount(told))
            }
            #expect(event.notices.count <= whole.notices.count)
        }
    }

    private static func amount(_ notice: Notice) -> Int64? {
        switch notice.happening {
        case .outcome(_, .succeeded(let success)): success.amount
        case .dispute(let dispute): dispute.amount
        default: nil
        }
    }

    @Test("are refused if an item is not what Adyen describes", arguments: [["a"], [1], [:], .null] as [JSON])
    func malformedItems(member: JSON) throws {
        let item = try AdyenSample.item("capture-succeeded")
        for key in ["pspReference", "merchantReference", "success"] where !member.isNull {
            #expect(try AdyenSample.reading([item.setting(key, member)]).refusal == .malformed)
        }
        #expect(try AdyenSample.reading([member]).refusal == .malformed)
        #expect(try AdyenSample.reading([item, member]).refusal == .malformed)
    }

    @Test("take a truth value for the text that Adyen documents")
    func successAsTruthValue() throws {
        let item = try AdyenSample.item("capture-succeeded").setting("success", true)
        #expect(try AdyenSample.reading([item]).events?.first?.id == "CAPTURE:JDD6LKT8MBLZNN84:true")
    }
}
