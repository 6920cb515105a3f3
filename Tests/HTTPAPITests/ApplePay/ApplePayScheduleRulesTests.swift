import Domain
import HTTPAPI
import StrictJSON
import Testing

@Suite("Apple Pay request: recurring, automatic reload and deferred")
struct ApplePayScheduleRulesTests {
    private static let kinds: [(key: String, value: JSON)] = [
        ("multiTokenContexts", ApplePaySample.contexts(["500"])),
        ("recurringPaymentRequest", ApplePaySample.recurring),
        ("automaticReloadPaymentRequest", ApplePaySample.automaticReload),
        ("deferredPaymentRequest", ApplePaySample.deferred),
    ]

    @Test("each kind alone is sound", arguments: 0..<4)
    func alone(kind: Int) {
        let (key, value) = Self.kinds[kind]
        let found = ApplePaySample.findings(ApplePaySample.setting(ApplePaySample.request, key, value))
        #expect(found.errors.isEmpty)
        #expect(found.warnings.isEmpty)
    }

    @Test("no two kinds go together", arguments: 0..<4, 0..<4)
    func together(first: Int, second: Int) {
        guard first < second else { return }
        var request = ApplePaySample.request
        for kind in [Self.kinds[second], Self.kinds[first]] {
            request = ApplePaySample.setting(request, kind.key, kind.value)
        }
        #expect(ApplePaySample.findings(request).errors == ["/\(Self.kinds[second].key) conflicting_request_kinds"])
    }

    @Test("of four kinds, three are too many")
    func all() {
        let request = Self.kinds.reduce(ApplePaySample.request) { ApplePaySample.setting($0, $1.key, $1.value) }
        #expect(
            ApplePaySample.findings(request).errors
                == Self.kinds.dropFirst().map { "/\($0.key) conflicting_request_kinds" }
        )
    }

    static let recurring: [(String, JSON?, [String])] = [
        ("paymentDescription", nil, ["/paymentDescription missing_field"]),
        ("paymentDescription", "", ["/paymentDescription empty"]),
        ("managementURL", nil, ["/managementURL missing_field"]),
        ("managementURL", "shop.example", ["/managementURL not_allowed"]),
        ("managementURL", "https://", ["/managementURL not_allowed"]),
        ("managementURL", "http://shop.example", []),
        ("tokenNotificationURL", "http://shop.example", ["/tokenNotificationURL not_allowed"]),
        ("tokenNotificationURL", "https://shop.example/a b", ["/tokenNotificationURL not_allowed"]),
        ("tokenNotificationURL", "https://shop.example/hooks", []),
        ("billingAgreement", .string(String(repeating: "é", count: 500)), []),
        ("billingAgreement", .string(String(repeating: "é", count: 501)), ["/billingAgreement too_long"]),
        ("regularBilling", nil, ["/regularBilling missing_field"]),
        ("regularBilling", [], ["/regularBilling wrong_type"]),
        ("regularBilling.amount", nil, ["/regularBilling/amount missing_field"]),
        ("regularBilling.label", nil, ["/regularBilling/label missing_field"]),
        ("regularBilling.paymentTiming", nil, ["/regularBilling/paymentTiming missing_field"]),
        ("regularBilling.paymentTiming", "immediate", ["/regularBilling/paymentTiming wrong_timing"]),
        ("regularBilling.paymentTiming", "weekly", ["/regularBilling/paymentTiming not_allowed"]),
        ("regularBilling.recurringPaymentIntervalUnit", "month", []),
        (
            "regularBilling.recurringPaymentIntervalUnit", "months",
            [
                "/regularBilling/recurringPaymentIntervalUnit not_allowed"
            ]
        ),
        (
            "regularBilling.recurringPaymentIntervalCount", 0,
            [
                "/regularBilling/recurringPaymentIntervalCount out_of_range"
            ]
        ),
        (
            "regularBilling.recurringPaymentIntervalCount", .number("1.5"),
            [
                "/regularBilling/recurringPaymentIntervalCount not_an_integer"
            ]
        ),
        ("trialBilling", ApplePaySample.item, []),
        ("trialBilling", ["label": "x", "amount": "0"], ["/trialBilling/paymentTiming missing_field"]),
        (
            "trialBilling", ["label": "x", "amount": "0", "paymentTiming": "deferred"],
            [
                "/trialBilling/paymentTiming wrong_timing"
            ]
        ),
    ]

    @Test("refuses a recurring request that will not do", arguments: recurring)
    func recurs(path: String, value: JSON?, expected: [String]) {
        let inner = ApplePaySample.setting(ApplePaySample.recurring, path, value)
        let request = ApplePaySample.setting(ApplePaySample.request, "recurringPaymentRequest", inner)
        #expect(ApplePaySample.findings(request).errors == expected.map { "/recurringPaymentRequest" + $0 })
    }

    @Test(
        "a schedule does not end before it starts",
        arguments: [
            ("2026-01-31", "2026-01-31", true), ("2026-02-01", "2026-01-31", false), ("2028-02-29", "2028-03-01", true),
            ("2026-01-01T12:00:00Z", "2026-01-01T13:00:00+02:00", false),
            ("2026-01-01T12:00Z", "2026-01-01T10:00:00.001-02:00", true),
            ("1969-12-31T23:59:59.999Z", "1970-01-01", true),
        ]
    )
    func ends(start: String, end: String, isSound: Bool) {
        var item = ApplePaySample.setting(ApplePaySample.item, "recurringPaymentStartDate", .string(start))
        item = ApplePaySample.setting(item, "recurringPaymentEndDate", .string(end))
        let request = ApplePaySample.setting(ApplePaySample.request, "lineItems", [item])
        let expected = isSound ? [] : ["/lineItems/0/recurringPaymentEndDate end_before_start"]
        #expect(ApplePaySample.findings(request).errors == expected)
    }

    @Test(
        "refuses what is no date",
        arguments: [
            "tomorrow", "", "2026-13-01", "2026-02-29", "2026-04-31", "2026-1-1", "2026-01-01T", "2026-01-01T24:00",
            "2026-01-01T12:60Z", "2026-01-01 12:00", "2026-01-01T12:00:61Z", "2026-01-01T12:00+1", "2026-01-01Z",
            "2026-01-01T12:00:00.Z", "2026-00-10", "2026-01-00",
        ]
    )
    func dates(text: String) {
        let item = ApplePaySample.setting(ApplePaySample.item, "recurringPaymentStartDate", .string(text))
        let request = ApplePaySample.setting(ApplePaySample.request, "lineItems", [item])
        #expect(ApplePaySample.findings(request).errors == ["/lineItems/0/recurringPaymentStartDate not_allowed"])
    }

    static let automaticReload: [(String, JSON?, [String])] = [
        ("automaticReloadBilling", nil, ["/automaticReloadBilling missing_field"]),
        (
            "automaticReloadBilling.automaticReloadPaymentThresholdAmount", nil,
            [
                "/automaticReloadBilling/automaticReloadPaymentThresholdAmount missing_field"
            ]
        ),
        (
            "automaticReloadBilling.automaticReloadPaymentThresholdAmount", "-1",
            [
                "/automaticReloadBilling/automaticReloadPaymentThresholdAmount negative_amount"
            ]
        ),
        (
            "automaticReloadBilling.automaticReloadPaymentThresholdAmount", "5.0",
            [
                "/automaticReloadBilling/automaticReloadPaymentThresholdAmount malformed_amount"
            ]
        ),
        ("automaticReloadBilling.paymentTiming", "recurring", ["/automaticReloadBilling/paymentTiming wrong_timing"]),
        ("managementURL", nil, ["/managementURL missing_field"]),
        ("billingAgreement", .string(String(repeating: "a", count: 501)), ["/billingAgreement too_long"]),
    ]

    @Test("refuses an automatic reload that will not do", arguments: automaticReload)
    func reloads(path: String, value: JSON?, expected: [String]) {
        let inner = ApplePaySample.setting(ApplePaySample.automaticReload, path, value)
        let request = ApplePaySample.setting(ApplePaySample.request, "automaticReloadPaymentRequest", inner)
        #expect(ApplePaySample.findings(request).errors == expected.map { "/automaticReloadPaymentRequest" + $0 })
    }

    static let deferred: [(String, JSON?, [String])] = [
        ("deferredBilling", nil, ["/deferredBilling missing_field"]),
        ("deferredBilling.deferredPaymentDate", nil, ["/deferredBilling/deferredPaymentDate missing_field"]),
        ("deferredBilling.deferredPaymentDate", "soon", ["/deferredBilling/deferredPaymentDate not_allowed"]),
        ("deferredBilling.paymentTiming", "immediate", ["/deferredBilling/paymentTiming wrong_timing"]),
        ("freeCancellationDate", "2026-12-01", ["/freeCancellationDateTimeZone missing_field"]),
        ("freeCancellationDateTimeZone", "Europe/Berlin", ["/freeCancellationDate missing_field"]),
        ("managementURL", nil, ["/managementURL missing_field"]),
    ]

    @Test("refuses a deferred payment that will not do", arguments: deferred)
    func defers(path: String, value: JSON?, expected: [String]) {
        let inner = ApplePaySample.setting(ApplePaySample.deferred, path, value)
        let request = ApplePaySample.setting(ApplePaySample.request, "deferredPaymentRequest", inner)
        #expect(ApplePaySample.findings(request).errors == expected.map { "/deferredPaymentRequest" + $0 })
    }

    @Test("a free cancellation needs both its date and its time zone")
    func freeCancellation() {
        var inner = ApplePaySample.setting(ApplePaySample.deferred, "freeCancellationDate", "2026-12-01")
        inner = ApplePaySample.setting(inner, "freeCancellationDateTimeZone", "Europe/Berlin")
        let request = ApplePaySample.setting(ApplePaySample.request, "deferredPaymentRequest", inner)
        #expect(ApplePaySample.findings(request).errors.isEmpty)
    }

    @Test(
        "a deferred payment lies in the future of the moment given",
        arguments: zip([-1, 0, 1], [true, false, false])
    )
    func future(offset: Int64, isSound: Bool) {
        let payment: Int64 = 1_798_070_400_000_000  // 2026-12-24T00:00:00Z
        let request = ApplePaySample.setting(
            ApplePaySample.request,
            "deferredPaymentRequest",
            ApplePaySample.deferred
        )
        let found = ApplePayRequestValidation.violations(
            in: request,
            strict: false,
            now: Timestamp(microseconds: payment + offset)
        )
        #expect(found.errors.map(\.code) == (isSound ? [] : ["not_in_future"]))
    }
}
