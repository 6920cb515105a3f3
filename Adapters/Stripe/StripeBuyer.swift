import AdapterKit
import WireFormats

/// Who buys what, as a PaymentIntent takes it.
///
/// Lengths: Stripe's OpenAPI description. Stripe has no field for the buyer's address on the network and for the browser:
/// its own library in the page tells those. `receipt_email` would send mail, and is not for this.
extension FormFields {
    /// `payment_method_data[billing_details]`, where a payment method is made with the intent.
    mutating func appendBilling(of buyer: BuyerDetails?) {
        guard let buyer else { return }
        let details = "payment_method_data[billing_details]"
        append("\(details)[name]", buyer.name)
        append("\(details)[email]", buyer.plainEmail)
        append("\(details)[phone]", buyer.phone)
        append(buyer.billingAddress, as: "\(details)[address]")
    }

    /// `shipping`, which has to name somebody, and what the card networks take for the buyer's code.
    mutating func appendShipping(of buyer: BuyerDetails?) {
        guard let buyer else { return }
        if let address = buyer.shippingAddress, let name = address.name ?? buyer.name {
            append("shipping[name]", name)
            append("shipping[phone]", buyer.phone)
            append(address, as: "shipping[address]")
        }
        append("payment_details[customer_reference]", buyer.reference)
    }

    /// `statement_descriptor_suffix`, as much of it as fits behind the longest prefix; nothing if that has no letter.
    ///
    /// Of 22 characters a prefix takes 10 at most, and an asterisk and a space stand between.
    ///
    /// Source: Stripe's page "Statement descriptors", read in November 2026.
    mutating func appendSuffix(_ descriptor: String?) {
        guard let descriptor else { return }
        let suffix = descriptor.filter { !"<>\\'\"*".contains($0) }.cut(to: 10)
        guard suffix.contains(where: \.isLetter) else { return }
        append("statement_descriptor_suffix", suffix)
    }

    /// `amount_details`: what of the amount is shipping, and what is sold, in Stripe's unit; no items if one of them cannot be
    /// expressed in it.
    ///
    /// Stripe is asked not to refuse a payment for sums that are not the amount's: tips are no item.
    mutating func appendAmountDetails(_ authorization: Call.Authorization, in unit: StripeUnit) {
        let items = authorization.lineItems
        let shipping = authorization.shipping.flatMap { unit.amount($0) }
        let units = items.compactMap { unit.amount($0.unitAmount) }
        let taxes = items.map { $0.taxAmount.map { unit.amount($0) } }
        let hasItems = !items.isEmpty && units.count == items.count && !taxes.contains(.some(nil))
        guard hasItems || shipping != nil else { return }
        append("amount_details[enforce_arithmetic_validation]", false)
        append("amount_details[shipping][amount]", shipping)
        guard hasItems else { return }
        for (index, item) in items.enumerated() {
            let field = "amount_details[line_items][\(index)]"
            append("\(field)[product_name]", item.name)
            append("\(field)[quantity]", item.quantity)
            append("\(field)[unit_cost]", units[index])
            append("\(field)[tax][total_tax_amount]", taxes[index] ?? nil)
            append("\(field)[product_code]", item.productCode?.whole(within: 12))
            let commodity = item.commodityCode?.whole(within: 12)
            append("\(field)[payment_method_options][card][commodity_code]", commodity)
        }
    }

    private mutating func append(_ address: PostalAddress?, as name: String) {
        guard let address else { return }
        append("\(name)[line1]", address.line1)
        append("\(name)[line2]", address.line2)
        append("\(name)[city]", address.city)
        append("\(name)[state]", address.state)
        append("\(name)[postal_code]", address.postalCode)
        append("\(name)[country]", address.country)
    }
}
