import Domain
import SQL
import StrictJSON

extension CommissionRule {
    /// The rule as JSON text, for one column.
    var text: String {
        JSON.object([
            .init("basis_points", .integer(basisPoints)), .init("fixed", Self.json(fixed)),
            .init("minimum", Self.json(minimum)), .init("maximum", Self.json(maximum)),
            .init("tax_basis_points", .integer(taxBasisPoints)),
            .init("psp_fees_borne_by", .string(pspFeesBorneBy.rawValue)),
            .init("returned_on_refund", .string(returnedOnRefund.rawValue)),
        ]).text
    }

    /// Reads a rule back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)`.
    init(text: String) throws(SQLError) {
        guard let document = try? JSON.parse(text: text), let rate = document["basis_points"]?.integerValue,
            let tax = document["tax_basis_points"]?.integerValue,
            let bearer = document["psp_fees_borne_by"]?.stringValue.flatMap(FeeBearer.init(rawValue:)),
            let returned = document["returned_on_refund"]?.stringValue.flatMap(Return.init(rawValue:))
        else { throw .unexpectedValue(column: "commission") }
        self.init(
            basisPoints: rate,
            fixed: Self.amounts(document["fixed"]),
            minimum: Self.amounts(document["minimum"]),
            maximum: Self.amounts(document["maximum"]),
            taxBasisPoints: tax,
            pspFeesBorneBy: bearer,
            returnedOnRefund: returned
        )
    }

    private static func json(_ amounts: [String: Int64]) -> JSON {
        .object(amounts.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) })
    }

    private static func amounts(_ document: JSON?) -> [String: Int64] {
        var amounts: [String: Int64] = [:]
        for member in document?.objectValue ?? [] { amounts[member.key] = member.value.integerValue }
        return amounts
    }
}
