import Domain
import StrictJSON

/// A secret at the only moment when it is shown.
struct MadeSecret: Hashable, Sendable {
    private let kind: String
    private let owner: String
    private let endpoint: EndpointID
    private let secret: Secret

    init(_ step: ApplyPlan.Step, _ endpoint: EndpointID, _ secret: Secret) {
        kind = step.kind
        owner = step.id
        self.endpoint = endpoint
        self.secret = secret
    }

    /// For programs.
    var json: JSON {
        [
            "kind": .string(kind), "id": .string(owner), "endpoint": .string(endpoint.text),
            "secret": .string(secret.reveal()),
        ]
    }

    /// For people: a row for each.
    static func table(_ made: [MadeSecret]) -> Table {
        var table = Table("callbacks_of", "endpoint", "secret")
        for one in made {
            table.add(.text(one.owner), .text(one.endpoint.text), .text(one.secret.reveal()))
        }
        return table
    }
}
