/// Keys, paths and connections, and what the server cannot do now.
enum RequestProblems {
    static let all: [ProblemCode] = [
        ProblemCode(
            "missing_api_key",
            [401],
            "The request has no API key.",
            "Send `Authorization: Bearer` and the key."
        ),
        ProblemCode(
            "invalid_api_key",
            [401],
            "The key is unknown or revoked.",
            "Make another with `keys create`; do not repeat the request with this one."
        ),
        ProblemCode(
            "expired_api_key",
            [401],
            "The key's time is over.",
            "Make another with `keys create`; do not repeat the request with this one."
        ),
        ProblemCode(
            "insufficient_scope",
            [403],
            "The key has not the scope that the operation needs.",
            "Use a key with one of the scopes that the description names."
        ),
        ProblemCode(
            "network_not_allowed",
            [403],
            "The key may not be used from the address that the request came from.",
            "Send it from one of the key's networks, or make another key with `keys create --network`."
        ),
        ProblemCode(
            "unlisted_origin",
            [403],
            "A publishable key was shown by a page whose origin is not listed.",
            "The operator adds the origin to page_origins of the server's settings, if the page is yours."
        ),
        ProblemCode(
            "not_found",
            [404],
            "There is nothing there that this key may see.",
            "Check the id and the marketplace of the key; what belongs to others looks the same."
        ),
        ProblemCode("no_such_path", [404], "The server has no such path.", "Compare the path with /openapi.json."),
        ProblemCode(
            "method_not_allowed",
            [405],
            "The path has other methods.",
            "Use one of those in the header Allow."
        ),
        ProblemCode(
            "malformed_target",
            [400],
            "The path or query is not ASCII, or not percent-encoded UTF-8.",
            "Percent-encode it."
        ),
        ProblemCode("host_invalid", [400], "The request names no host, or several.", "Send exactly one Host."),
        ProblemCode(
            "unknown_api_version",
            [400],
            "Tributary-Version names a version that there is not.",
            "Send one of those that the detail names, or leave the header out."
        ),
        ProblemCode(
            "refused",
            [400],
            "The request is not HTTP as the server reads it.",
            "Look at the client library; the title names the status."
        ),
        ProblemCode(
            "idempotency_key_missing",
            [400],
            "A request that moves money, or makes a key, has no Idempotency-Key.",
            "Send a new random key with each new intent, and the same one when you repeat it."
        ),
        ProblemCode(
            "idempotency_key_malformed",
            [400],
            "The key is empty, longer than 255 characters, or not printable ASCII.",
            "Send a UUID."
        ),
        ProblemCode(
            "idempotency_key_reused",
            [422],
            "The key was used with another body.",
            "Repeat the first body byte for byte, or take a new key for a new intent."
        ),
        ProblemCode(
            "unknown_parameter",
            [422],
            "The query has a parameter that the operation does not know.",
            "Leave it out; the detail names those that it knows."
        ),
        ProblemCode(
            "invalid_parameter",
            [422],
            "A query parameter is not of its form.",
            "Write it as the detail says."
        ),
        ProblemCode("duplicate_parameter", [422], "A query parameter stands in the query twice.", "Send it once."),
        ProblemCode(
            "body_too_large",
            [413],
            "The body is longer than is allowed.",
            "Send less; the connection is closed."
        ),
        ProblemCode(
            "body_too_slow",
            [408],
            "The body did not come in time.",
            "Send the request again with the same key."
        ),
        ProblemCode(
            "body_incomplete",
            [400],
            "The body ended before its announced end.",
            "Send the request again with the same key."
        ),
        ProblemCode(
            "head_too_slow",
            [408],
            "The head of the request did not come in time.",
            "Send the request again with the same key."
        ),
        ProblemCode(
            "unsupported_media_type",
            [415],
            "The body is not application/json.",
            "Send `Content-Type: application/json`."
        ),
        ProblemCode("unsupported_content_encoding", [415], "The body is compressed.", "Send it as it is."),
        ProblemCode(
            "too_many_connections",
            [503],
            "As many connections are open as may be.",
            "Wait Retry-After seconds and send it again with the same key; keep connections open between requests."
        ),
        ProblemCode(
            "too_many_requests",
            [429],
            "Of a publishable key, as many requests are in hand as may be.",
            "Wait Retry-After seconds and send it again, or have the shop's server ask with a secret key."
        ),
        ProblemCode(
            "rate_limited",
            [429],
            "The key, or an address without a valid key, has sent more requests than it may.",
            "Wait Retry-After seconds and send it again with the same key; RateLimit tells how many are left."
        ),
        ProblemCode(
            "overloaded",
            [503],
            "There is more to do than can be done in time; nothing was kept.",
            "Wait Retry-After seconds and send it again with the same key."
        ),
        ProblemCode(
            "unavailable",
            [503],
            "The database cannot be reached, or has no room; nothing is known of the request.",
            "Send it again with the same key: it is done at most once."
        ),
        ProblemCode(
            "not_ready",
            [503],
            "The server ends, or lacks something; the detail says what.",
            "Send the request to another instance, or wait."
        ),
        ProblemCode(
            "internal_error",
            [500],
            "Something went wrong here.",
            "Send the request again with the same key; if it stays, tell the operator the request_id."
        ),
        ProblemCode(
            "wallet_unusable",
            [503],
            "The keys that open wallet tokens cannot be used.",
            "The operator looks at the server's log; the buyer may pay otherwise."
        ),
        ProblemCode(
            "apple_pay_not_configured",
            [422],
            "There is no Apple Pay here, or not of this kind.",
            "The operator declares apple_pay with its certificates."
        ),
        ProblemCode(
            "google_pay_not_configured",
            [422],
            "There is no Google Pay here.",
            "The operator declares google_pay."
        ),
        ProblemCode(
            "apple_refused",
            [502],
            "Apple answered something else than a session.",
            "Check the registration of domain and merchant identifier; the detail has Apple's words."
        ),
        ProblemCode("apple_unreachable", [504], "Apple did not answer in time, twice.", "Start the session again."),
    ]
}
