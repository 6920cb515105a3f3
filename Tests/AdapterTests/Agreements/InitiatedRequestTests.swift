import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What PSPs' documents say of first and later payments")
struct InitiatedRequestTests {
    /// One line of the file of facts: what a request carries, and what it never does.
    struct Fact: Sendable, CustomTestStringConvertible {
        let psp: String
        let kind: String
        let credential: String?
        let sends: [JSON.Member]
        let never: [String]

        var testDescription: String { "\(psp), \(kind), \(credential ?? "any")" }
    }

    static var facts: [Fact] {
        get throws {
            let json = try JSON.parse(try SampleFiles.data("vectors/agreements/initiated-requests.json"))
            return try #require(json["cases"]?.arrayValue).map { line in
                Fact(
                    psp: try #require(line["psp"]?.stringValue),
                    kind: try #require(line["kind"]?.stringValue),
                    credential: line["credential"]?.stringValue,
                    sends: line["sends"]?.objectValue ?? [],
                    never: line["never"]?.arrayValue?.compactMap(\.stringValue) ?? []
                )
            }
        }
    }

    /// What is not held here: another API of Braintree's, a field that Stripe opens on request, the buyer's own payments
    /// with a stored card, and Square's way, which is two requests.
    private static func isOurs(_ fact: Fact) -> Bool {
        fact.psp != "braintree-gateway" && fact.psp != "square" && fact.kind != "buyer_again"
            && fact.credential != "MPAN held by us"
    }

    @Test("is what our requests carry", arguments: try facts.filter(isOurs))
    func carried(fact: Fact) throws {
        let psp = fact.psp == "braintree-graphql" ? "braintree" : fact.psp
        let credentials = try AgreementSample.credentials(psp)
        let type: AgreementType = fact.kind.hasSuffix("unscheduled") ? .automaticReload : .recurring
        let call =
            fact.kind.hasPrefix("first")
            ? try AgreementSample.first(credentials.first, type) : try AgreementSample.charge(credentials.later, type)
        let request = try AgreementSample.request(psp, call)
        let text = String(decoding: request.body, as: UTF8.self)
        for member in fact.sends {
            let found = try Self.value(member.key, in: request, of: psp)
            #expect(Self.matches(found, member.value), "\(member.key) is \(found?.text ?? "missing") in \(text)")
        }
        for name in fact.never {
            #expect(try Self.value(name, in: request, of: psp) == nil, "\(name) is in \(text)")
        }
    }

    @Test("covers every PSP that has it")
    func covers() throws {
        #expect(Set(try Self.facts.map(\.psp)).count == 8)
        #expect(try Self.facts.count { Self.isOurs($0) } >= 12)
    }

    /// What stands at a dotted path of the body, or under a bracketed name of a form.
    private static func value(_ name: String, in request: WireRequest, of psp: String) throws -> JSON? {
        if psp == "stripe" {
            let form = try #require(FormTree(String(decoding: request.body, as: UTF8.self)))
            return form[name].map(JSON.string)
        }
        var json: JSON? = try JSON.parse(request.body)
        switch psp {
        case "braintree": json = json?["variables"]?["input"]
        case "authorize-net": json = json?["createTransactionRequest"]?["transactionRequest"]
        default: break
        }
        for part in name.split(separator: ".") { json = json?[String(part)] }
        return json
    }

    /// Whether a value is the one named; `…` stands for any more text, and an object has at least the members named.
    private static func matches(_ value: JSON?, _ wanted: JSON) -> Bool {
        switch (value, wanted) {
        case (.string(let text)?, .string(let pattern)) where pattern.hasSuffix("\u{2026}"):
            text.hasPrefix(pattern.dropLast())
        case (.object?, .object(let members)): members.allSatisfy { matches(value?[$0.key], $0.value) }
        default: value == wanted
        }
    }
}
