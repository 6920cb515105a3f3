import CurlTransport
import StrictJSON

/// Braintree's GraphQL API and its webhooks.
///
/// Written from Braintree's published schema and pages, apart from the adapter, so that the two check each other.
/// There is one endpoint; the operation that the document names decides. Answers have the status 200 whatever they
/// say, but for a trigger's 500. Captures settle at once unless a trigger says otherwise.
package struct BraintreeDialect: Dialect {
    private let vault = BraintreeVault()

    /// Makes the dialect.
    package init() {}

    package var serverError: PSPReply {
        let fault = BraintreeFault(errorClass: "INTERNAL", message: "An unknown error occurred.")
        return BraintreeReply.error(fault.json(root: nil), status: 500)
    }

    package var routes: [DialectRoute] {
        [
            DialectRoute(.post, "graphql") { request throws(Refusal) in
                let asked = try BraintreeRequest(request)
                guard asked.call.isMutation, let root = asked.call.roots.first else { return BraintreeQuery.ask(asked) }
                let requester = Requester(account: asked.account, key: nil)
                return try BraintreeMutation(root: root, requester: requester, vault: vault).ask()
            }
        ]
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        BraintreeError.reply(refusing: refusal, to: request, about: authorization)
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] { BraintreeEvents.notices(of: event) }

    /// The public key and the private key with a colon between them.
    package func accepts(secret: String) -> Bool {
        let keys = secret.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return keys.count == 2 && keys.allSatisfy { !$0.isEmpty }
    }

    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let form = BraintreeEvents.form(BraintreeEvents.payload(notice.document), signedWith: endpoint.secret)
        return WebhookPost(
            headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8)
        )
    }
}
