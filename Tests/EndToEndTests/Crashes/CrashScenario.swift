import Foundation
import StrictJSON
import Testing

/// An order that is placed again and again, each time by a gateway that dies somewhere else.
struct CrashScenario: Hashable, Sendable, CustomTestStringConvertible {
    /// What happens to the order.
    var name: String
    /// The order.
    var basket: Basket
    /// How an undisturbed run ends.
    var status: String
    /// Whether it is the moment of death that decides if the PSP ever hears of a payment that comes to nothing.
    var hasDetours = false
    /// How long a gateway waits for a PSP; where every PSP answers, longer than a busy machine takes for it.
    var pspTimeoutMilliseconds: Int64 = 20_000

    var testDescription: String { name }

    /// The scenarios of this run: a few, or all if `TRIBUTARY_CRASH_SCENARIOS` says so.
    static var chosen: [CrashScenario] {
        ProcessInfo.processInfo.environment["TRIBUTARY_CRASH_SCENARIOS"] == "all"
            ? usual + others : usual
    }

    private static let usual = [
        CrashScenario(
            name: "both are captured",
            basket: Basket("tok_approve", "tok_approve"),
            status: "paid"
        ),
        CrashScenario(
            name: "one of three is declined, so nothing is kept",
            basket: Basket("tok_approve", "tok_decline_insufficient_funds", "tok_captured"),
            status: "failed",
            // Who takes over may hear of the decline before it sends what was not sent yet.
            hasDetours: true
        ),
    ]

    private static let others = [
        CrashScenario(
            name: "three are held until asked for",
            basket: manual("tok_approve", "tok_approve", "tok_approve"),
            status: "authorized"
        ),
        CrashScenario(
            name: "one of five is declined",
            basket: Basket(
                "tok_approve",
                "tok_approve",
                "tok_decline_generic",
                "tok_approve",
                "tok_approve"
            ),
            status: "failed"
        ),
        CrashScenario(
            name: "one of three is declined and the others will do",
            basket: policy(
                ["type": "best_effort"],
                "tok_approve",
                "tok_decline_limit_exceeded",
                "tok_approve"
            ),
            status: "partially_paid"
        ),
        CrashScenario(
            name: "what is required is there",
            basket: policy(required(0), "tok_approve", "tok_decline_expired_card"),
            status: "partially_paid"
        ),
        CrashScenario(
            name: "what is required is missing",
            basket: policy(required(1), "tok_approve", "tok_decline_expired_card"),
            status: "failed"
        ),
        CrashScenario(
            name: "the minimum is reached",
            basket: policy(["type": "minimum", "amount": 1000], "tok_approve", "tok_decline_generic"),
            status: "partially_paid"
        ),
        CrashScenario(name: "one call takes it all", basket: Basket("tok_approve"), status: "paid"),
        CrashScenario(
            name: "a PSP acts and does not answer",
            basket: Basket("tok_timeout_after", "tok_close_after"),
            status: "paid",
            pspTimeoutMilliseconds: 1000
        ),
        CrashScenario(
            name: "a PSP does not act at first",
            basket: Basket("tok_500_before", "tok_close_before"),
            status: "paid"
        ),
        CrashScenario(
            name: "a PSP takes its time",
            basket: Basket("tok_pending_300", "tok_approve+capture_pending_300"),
            status: "paid"
        ),
        CrashScenario(
            name: "a capture is refused, so the other is given back",
            basket: Basket("tok_approve", "tok_approve+capture_decline_generic"),
            status: "failed"
        ),
        CrashScenario(
            name: "the replies to captures are lost",
            basket: Basket("tok_approve+capture_close_after", "tok_approve+capture_500_after"),
            status: "paid"
        ),
        CrashScenario(
            name: "the replies to voids are lost",
            basket: Basket(
                "tok_approve+void_close_after",
                "tok_approve+void_malformed",
                "tok_decline_generic"
            ),
            status: "failed"
        ),
        CrashScenario(
            name: "what was captured unasked has not settled",
            basket: Basket("tok_captured+refund_unsettled_3600000", "tok_decline_generic"),
            status: "failed"
        ),
        CrashScenario(
            name: "too little is approved",
            basket: policy(required(0), "tok_approve", "tok_partial"),
            status: "partially_paid"
        ),
        CrashScenario(
            name: "too little is taken in one call",
            basket: policy(["type": "best_effort"], "tok_approve", "tok_partial"),
            status: "partially_paid"
        ),
        CrashScenario(
            name: "the checkout does not wait for a slow PSP",
            basket: abandoning(after: 300, "tok_approve", "tok_slow_900"),
            status: "failed",
            hasDetours: true
        ),
    ]

    private static func manual(_ tokens: String...) -> Basket {
        var basket = Basket(tokens: tokens)
        basket.capture = "manual"
        return basket
    }

    private static func policy(_ policy: JSON, _ tokens: String...) -> Basket {
        var basket = Basket(tokens: tokens)
        basket.policy = policy
        return basket
    }

    private static func required(_ shop: Int) -> JSON {
        ["type": "required", "external_identifiers": [.string("shop-\(shop)")]]
    }

    private static func abandoning(after milliseconds: Int64, _ tokens: String...) -> Basket {
        var basket = Basket(tokens: tokens)
        basket.onDeadline = "abandon"
        basket.deadlineMilliseconds = milliseconds
        return basket
    }
}
