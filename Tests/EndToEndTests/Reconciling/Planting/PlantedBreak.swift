import Domain
import Testing

/// One thing that is wrong in files that are right otherwise, and the one break it is.
struct PlantedBreak: Sendable, CustomTestStringConvertible {
    let type: BreakType
    var psp = SettledPSP.stripe
    /// The order it is of; nil if it is of none that we know.
    var order: String?
    /// What is at stake, in cents; nil for all of the order's sale.
    var amount: Int64?
    let plant: @Sendable (inout MonthFiles) throws -> Void

    var testDescription: String { type.rawValue }

    private static let unknownAttempt = "att_01jd3xk5g00000000000000001"
    private static let unknown = [
        "payment_metadata[attempt]": unknownAttempt, "source_id": "ch_unknown", "payment_intent_id": "pi_unknown",
    ]

    /// One of each type.
    static let all: [PlantedBreak] = ofMoney + ofMeaning + ofSums

    /// Money that is not there, or not ours, or another sum.
    private static let ofMoney = [
        PlantedBreak(type: .missingAtPSP, order: "order-0") { try $0.drop("order-0") },
        // Five days before the last day of the files: after three it is late, after seven missing.
        PlantedBreak(type: .late, order: "order-10") { try $0.drop("order-10") },
        PlantedBreak(type: .missingInOurs, amount: 5_005) { try $0.add(5_005, unknown) },
        PlantedBreak(type: .refundWithoutOrigin, amount: -5_005) { files in
            try files.add(-5_005, unknown.merging(["reporting_category": "refund"]) { $1 })
        },
        PlantedBreak(type: .amountMismatch, order: "order-0", amount: 50) { try $0.resell("order-0") { $0 + 50 } },
        PlantedBreak(type: .roundingResidue, order: "order-0", amount: 1) { try $0.resell("order-0") { $0 + 1 } },
    ]

    /// The right sum that means something else.
    private static let ofMeaning = [
        PlantedBreak(type: .currencyMismatch, order: "order-0") { files in
            try files.sale(of: "order-0") { row in
                row["customer_facing_currency"] = "eur"
                row["customer_facing_amount"] = "47.11"
            }
        },
        PlantedBreak(type: .statusMismatch, order: SettledBooks.canceled, amount: 5_005) { files in
            try files.add(
                5_005,
                [
                    "payment_metadata[attempt]": "", "source_id": "ch_1",
                    "payment_intent_id": "stripe_\(SettledBooks.canceled)",
                ]
            )
        },
        PlantedBreak(type: .wrongMerchantAccount, order: "order-0", amount: 0) { files in
            try files.sale(of: "order-0") { $0["connected_account_id"] = "somebodyElse" }
        },
        PlantedBreak(type: .referenceMismatch, order: "order-0", amount: 0) { files in
            try files.sale(of: "order-0") { $0["payment_metadata[attempt]"] = unknownAttempt }
        },
        PlantedBreak(type: .splitMismatch, psp: .square, order: "order-0", amount: 5) { files in
            let place = try #require(
                files.report.rows.firstIndex { $0["type"] == "APP_FEE_REVENUE" && $0["payment_id"] == "square_order-0" }
            )
            let kept = try #require(files.report.rows[place]["net"].flatMap { Int64($0.replacing(".", with: "")) })
            files.report.rows[place]["gross"] = (kept + 5).dollars
            files.report.rows[place]["net"] = (kept + 5).dollars
            files.pay(5)
        },
        PlantedBreak(type: .unparseableRow) { try $0.sale(of: "order-11") { $0["gross"] = "x" } },
    ]

    /// Lines that are not what they add up to.
    private static let ofSums = [
        PlantedBreak(type: .directionMismatch, order: "order-0") { try $0.resell("order-0") { -$0 } },
        PlantedBreak(type: .feeMismatch, order: "order-0", amount: 10) { files in
            try files.sale(of: "order-0") { row in
                let fee = row["fee"].flatMap { Int64($0.replacing(".", with: "")) } ?? 0
                row["fee"] = (fee + 10).dollars
            }
        },
        // The sale of 41.94 less its fee, which is posted no more than the rest of what is told again.
        PlantedBreak(type: .duplicateLine, order: "order-0", amount: 4_065) { files in
            let place = try #require(files.report.row(of: "order-0"))
            files.report.rows.append(files.report.rows[place])
        },
        PlantedBreak(type: .batchSumMismatch, amount: 1_234) { $0.pay(1_234) },
        PlantedBreak(type: .payoutMismatch, amount: 1_000) { $0.statement.entries[0].amount += 1_000 },
    ]
}
