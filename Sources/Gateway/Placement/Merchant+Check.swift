import Domain
import StrictJSON

extension Merchant {
    /// Refuses new payments while the merchant is paused, and whatever a context says of it that differs from its
    /// record.
    ///
    /// - Parameters:
    ///   - identifier: its Apple merchant identifier, if the context says one.
    ///   - name: its name, if the context says one.
    ///   - domain: its domain, if the context says one.
    ///   - place: where the context stands in the body.
    ///   - violations: where to say what is wrong.
    func check(
        identifier: String?,
        name: String?,
        domain: String?,
        at place: JSONPointer,
        _ violations: Violations
    ) {
        if status == .paused {
            violations.add(
                at: place.appending("external_identifier"),
                "merchant_paused",
                "The merchant takes no new payments at this time."
            )
        }
        let fields = [
            ("merchant_identifier", identifier, merchantIdentifier),
            ("merchant_name", name, self.name),
            ("merchant_domain", domain, self.domain),
        ]
        for (field, sent, recorded) in fields where sent != nil && sent != recorded {
            violations.add(
                at: place.appending(field),
                "merchant_mismatch",
                "Differs from the merchant's record; leave it out."
            )
        }
    }
}
