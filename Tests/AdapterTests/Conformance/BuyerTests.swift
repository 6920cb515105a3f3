import AdapterKit
import Domain
import Testing

@Suite("What an authorization says of its buyer")
struct BuyerTests {
    /// What every adapter sends first for each credential that it takes.
    private static func step(_ subject: AdapterUnderTest, _ call: Call) -> Step {
        subject.adapter.next(for: call, after: [])
    }

    @Test("stands in the body of a request and in no description of it", arguments: try AdapterUnderTest.all)
    func descriptions(subject: AdapterUnderTest) throws {
        for credential in Sample.credentials {
            let call = try Sample.told(credential)
            let step = Self.step(subject, call)
            for text in SecrecyTests.descriptions(of: call) + SecrecyTests.descriptions(of: step) {
                for secret in Sample.buyerTexts { #expect(!text.contains(secret)) }
            }
            guard case .send(let request) = step else { continue }
            for secret in Sample.buyerTexts { #expect(!request.url.contains(secret)) }
            #expect(!request.headers.contains { header in Sample.buyerTexts.contains { header.value.contains($0) } })
        }
    }

    @Test("changes nothing where nothing is said", arguments: try AdapterUnderTest.all)
    func nothing(subject: AdapterUnderTest) throws {
        for credential in Sample.credentials {
            let silent = try Sample.silent(credential)
            let empty = try Sample.told(credential) { authorization in
                (authorization.buyer, authorization.lineItems) = (BuyerDetails(), [])
                authorization.statementDescriptor = nil
            }
            #expect(Self.step(subject, empty) == Self.step(subject, silent))
        }
    }

    @Test("never keeps a payment from being sent, however odd it is", arguments: try AdapterUnderTest.all)
    func odd(subject: AdapterUnderTest) throws {
        for credential in Sample.credentials {
            guard case .send = Self.step(subject, try Sample.silent(credential)) else { continue }
            let call = try Sample.told(credential) { authorization in
                var buyer = BuyerDetails()
                (buyer.name, buyer.email, buyer.phone) = ("Søren", "a@b", "+3541234")
                buyer.billingAddress = PostalAddress(country: "XK")
                buyer.shippingAddress = PostalAddress(line1: String(repeating: "é", count: 200), country: "US")
                buyer.browser = BrowserDetails()
                authorization.buyer = buyer
                authorization.statementDescriptor = "***"
                authorization.lineItems = [
                    LineItem(name: String(repeating: "é", count: 255), quantity: 3, unitAmount: 0, taxAmount: 1),
                    LineItem(name: "x", quantity: 1_000_000, unitAmount: .max),
                ]
            }
            guard case .send = Self.step(subject, call) else {
                Issue.record("nothing is sent")
                continue
            }
        }
    }

    @Test(
        "has an email address for PSPs only if they take it for one",
        arguments: [
            ("anna.kvist@shop.example", true), ("a+b@x-y.co", true), ("a@b", false), ("a@b.c", false),
            ("ännchen@shop.example", false), ("a..b@shop.example", false), (".a@shop.example", false),
            ("a@-shop.example", false), ("a@shop.1x", false), ("a@b@shop.example", false), ("a b@shop.example", false),
        ]
    )
    func email(_ text: String, isPlain: Bool) {
        var buyer = BuyerDetails()
        buyer.email = text
        #expect(buyer.plainEmail == (isPlain ? text : nil))
    }

    @Test(
        "has a phone number in two parts",
        arguments: [
            ("+12065550100", "+1", "2065550100"), ("+79261234567", "+7", "9261234567"),
            ("+4915112345678", "+49", "15112345678"), ("+35312345678", "+353", "12345678"),
            ("+85212345678", "+852", "12345678"), ("+390612345678", "+39", "0612345678"),
        ]
    )
    func phone(_ text: String, code: String, number: String) {
        var buyer = BuyerDetails()
        buyer.phone = text
        #expect(buyer.phoneParts?.countryCode == code && buyer.phoneParts?.number == number)
    }

    @Test(
        "has a name in two parts if it has two words",
        arguments: [
            ("Anna Maria Kvist", "Anna Maria", "Kvist"), (" Bo  Kvist ", "Bo", "Kvist"), ("Søren", nil, nil),
        ] as [(String, String?, String?)]
    )
    func name(_ text: String, first: String?, last: String?) {
        var buyer = BuyerDetails()
        buyer.name = text
        #expect(buyer.nameParts?.first == first && buyer.nameParts?.last == last)
    }

    @Test("sums its items with their taxes, and knows when that is too much")
    func sums() {
        #expect(LineItem.total(of: Sample.lineItems) == 7750)
        #expect(LineItem.total(of: []) == 0)
        #expect(LineItem(name: "x", quantity: 2, unitAmount: .max).total == nil)
        let most = LineItem(name: "x", quantity: 1, unitAmount: .max)
        #expect(LineItem.total(of: [most]) == .max && LineItem.total(of: [most, most]) == nil)
    }
}
