import Domain
import SQL
import StrictJSON

/// Routes that could still authorize a payment, as JSON text in one column.
extension OrderDocuments {
    static func text(_ routes: [RouteSnapshot]) -> String {
        JSON.array(
            routes.map { route in
                JSON.object(omittingAbsent: [
                    "psp": .string(route.psp), "psp_account": .string(route.pspAccount),
                    "merchant_account": route.merchantAccount.map(JSON.string),
                    "settles_to": .string(route.settlesTo.rawValue),
                    "commission_by": .string(route.commissionBy.rawValue),
                ])
            }
        ).text
    }

    static func routes(_ text: String) throws(SQLError) -> [RouteSnapshot] {
        guard let documents = (try? JSON.parse(text: text))?.arrayValue else {
            throw .unexpectedValue(column: "alternatives")
        }
        var routes: [RouteSnapshot] = []
        for document in documents {
            guard let psp = document["psp"]?.stringValue, let account = document["psp_account"]?.stringValue,
                let settlesTo = document["settles_to"]?.stringValue.flatMap(RouteSnapshot.SettlesTo.init(rawValue:)),
                let commissionBy = document["commission_by"]?.stringValue
                    .flatMap(RouteSnapshot.CommissionBy.init(rawValue:))
            else { throw .unexpectedValue(column: "alternatives") }
            routes.append(
                RouteSnapshot(
                    psp: psp,
                    pspAccount: account,
                    merchantAccount: document["merchant_account"]?.stringValue,
                    settlesTo: settlesTo,
                    commissionBy: commissionBy
                )
            )
        }
        return routes
    }
}
