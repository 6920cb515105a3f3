import Domain
import StrictJSON

/// Reading a declared commission.
extension CommissionRule {
    init(_ body: ObjectReader) {
        self.init(
            basisPoints: body.integer("basis_points", .optional, in: 0...10_000) ?? 0,
            fixed: body.amounts("fixed") ?? [:],
            minimum: body.amounts("minimum") ?? [:],
            maximum: body.amounts("maximum") ?? [:],
            taxBasisPoints: body.integer("tax_basis_points", .optional, in: 0...10_000) ?? 0,
            pspFeesBorneBy: body.parsed("psp_fees_borne_by", .optional, expecting: "merchant or marketplace") {
                FeeBearer(rawValue: $0)
            } ?? .merchant,
            returnedOnRefund: body.parsed("returned_on_refund", .optional, expecting: "pro_rata or none") {
                Return(rawValue: $0)
            } ?? .proRata
        )
        for (code, least) in minimum.sorted(by: { $0.key < $1.key }) {
            guard let most = maximum[code], least > most else { continue }
            let place = body.pointer(to: "minimum").appending(code)
            body.violations.add(at: place, "contradiction", "Must not be more than the maximum.")
        }
    }
}
