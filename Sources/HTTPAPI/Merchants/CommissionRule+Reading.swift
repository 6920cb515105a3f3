import Domain
import StrictJSON

/// Reading a commission as an operator declares it.
extension CommissionRule {
    init(reading body: ObjectReader) {
        let rate = body.integer("basis_points", .optional, in: 0...10_000)
        let fixed = Self.amounts(body, "fixed")
        let minimum = Self.amounts(body, "minimum")
        let maximum = Self.amounts(body, "maximum")
        let tax = body.integer("tax_basis_points", .optional, in: 0...10_000)
        let bearer = body.parsed("psp_fees_borne_by", .optional, expecting: "merchant or marketplace") {
            FeeBearer(rawValue: $0)
        }
        let returned = body.parsed("returned_on_refund", .optional, expecting: "pro_rata or none") {
            Return(rawValue: $0)
        }
        for (code, least) in minimum.sorted(by: { $0.key < $1.key }) where least > maximum[code] ?? .max {
            let place = body.pointer(to: "minimum").appending(code)
            body.violations.add(at: place, "contradiction", "Must not be more than the maximum.")
        }
        self.init(
            basisPoints: rate ?? 0,
            fixed: fixed,
            minimum: minimum,
            maximum: maximum,
            taxBasisPoints: tax ?? 0,
            pspFeesBorneBy: bearer ?? .merchant,
            returnedOnRefund: returned ?? .proRata
        )
    }

    /// Amounts in minor units by currency code.
    private static func amounts(_ body: ObjectReader, _ key: String) -> [String: Int64] {
        body.object(key, .optional) { amounts in
            var all: [String: Int64] = [:]
            for code in amounts.keys where Currency(code: code) != nil {
                all[code] = amounts.integer(code, in: 0 ... .max)
            }
            return all
        } ?? [:]
    }
}
