import AdapterKit
import BraintreeAdapter
import Domain
import StrictJSON
import Testing

@Suite("Braintree's documents")
struct BraintreeSchemaTests {
    /// Every request that the conversations lead to, a sale, and what is asked under an agreement.
    static var requests: [WireRequest] {
        get throws {
            let sale = try BraintreeRequestTests.request(try BraintreeRequestTests.authorize(capture: true))
            return try RequestTests.requests(of: try .braintree).map(\.request) + [sale]
                + AgreementSpecTests.requests(of: "braintree")
        }
    }

    @Test("are as the schema has them")
    func documents() throws {
        var fields: Set<String> = []
        for request in try Self.requests {
            let body = try JSON.parse(request.body)
            let document = try GraphQLDocument(try #require(body["query"]?.stringValue))
            fields.formUnion(document.selections.map(\.name))
            #expect(document.selections.count == 1)
            #expect(Self.problems(document) == [])
            let variables = try #require(body["variables"]?.objectValue)
            #expect(Set(variables.map(\.key)) == Set(document.variables.keys))
            for (name, type) in document.variables {
                #expect(Self.problems(body["variables"]?[name], type, at: name) == [])
            }
        }
        let mutations = try #require(BraintreeSchema.objects["Mutation"]?.keys)
        #expect(fields == Set(mutations).union(["node", "search"]))
    }

    @Test(
        "would be found out if they were not",
        arguments: [
            "query A($id: ID!) { node(id: $id) { ... on Transaction { identifier } } }",
            "query A($id: ID!) { node(id: $id) { ... on Dispute { id } } }",
            "query A($id: String) { node(id: $id) { id } }", "query A($id: ID!) { node(id: $id) { id { x } } }",
            "query A($id: ID!) { node(id: $id) }", "query A($id: ID!) { transaction(id: $id) { id } }",
        ]
    )
    func wrongDocuments(text: String) throws {
        #expect(try !Self.problems(GraphQLDocument(text)).isEmpty)
    }

    @Test(
        "would not be sent with variables that are not the schema's",
        arguments: [
            ["clientMutationId": "x"], ["transactionId": "x", "amount": "1.00"], ["transactionId": 1],
            ["transactionId": "x", "transaction": ["amount": "1.0"]],
            ["transactionId": "x", "transaction": ["amount": "1,00"]],
        ] as [JSON]
    )
    func wrongVariables(input: JSON) {
        #expect(!Self.problems(input, "CaptureTransactionInput!", at: "input").isEmpty)
    }

    private static func problems(_ document: GraphQLDocument) -> [String] {
        let root = document.kind == "mutation" ? "Mutation" : "Query"
        return problems(document.selections, of: root, document.variables)
    }

    private static func problems(
        _ selections: [GraphQLDocument.Selection],
        of type: String,
        _ variables: [String: String]
    ) -> [String] {
        selections.flatMap { selection -> [String] in
            if selection.isFragment {
                guard BraintreeSchema.members[type]?.contains(selection.name) == true else {
                    return ["\(type) is never a \(selection.name)"]
                }
                return problems(selection.selections, of: selection.name, variables)
            }
            guard let found = BraintreeSchema.objects[type]?[selection.name] else {
                return ["\(type) has no \(selection.name)"]
            }
            var wrong = problems(selection.selections, of: found, variables)
            if selection.selections.isEmpty != (BraintreeSchema.objects[found] == nil) {
                wrong.append("\(selection.name) is a \(found)")
            }
            for (argument, variable) in selection.arguments
            where BraintreeSchema.arguments[selection.name]?[argument] != variables[variable] {
                wrong.append("\(selection.name) takes no such \(argument)")
            }
            return wrong
        }
    }

    /// What is wrong with a value of an input type; a type in brackets is a list of them.
    static func problems(_ value: JSON?, _ type: String, at place: String) -> [String] {
        let name = type.hasSuffix("!") ? String(type.dropLast()) : type
        guard let value, !value.isNull else { return type.hasSuffix("!") ? ["\(place) is missing"] : [] }
        if name.hasPrefix("[") {
            guard let elements = value.arrayValue else { return ["\(place) is no list"] }
            return elements.flatMap { problems($0, String(name.dropFirst().dropLast()), at: place) }
        }
        if let members = BraintreeSchema.inputs[name] {
            guard let given = value.objectValue else { return ["\(place) is no object"] }
            let unknown = given.filter { members[$0.key] == nil }.map { "\(place) has no \($0.key)" }
            return unknown + members.flatMap { problems(value[$0.key], $0.value, at: "\(place).\($0.key)") }
        }
        let isRight =
            name == "Int"
            ? value.integerValue != nil : value.stringValue.map { BraintreeSchema.isValue($0, of: name) } == true
        return isRight ? [] : ["\(place) is no \(name)"]
    }
}
