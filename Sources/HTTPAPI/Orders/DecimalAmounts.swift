import Domain
import StrictJSON

extension JSON {
    /// The object with its amounts as decimal text too: behind `amount`, and behind each member whose name ends in
    /// `_amount`, stands the same name with `_decimal`, in major units with all of the currency's digits (`"12.50"`).
    ///
    /// What is inside other members stays as it is.
    func withDecimals(in currency: Currency) -> JSON {
        guard case .object(let members) = self else { return self }
        var all: [Member] = []
        all.reserveCapacity(members.count + 6)
        for member in members {
            all.append(member)
            guard member.key == "amount" || member.key.utf8.ends(with: "_amount"),
                case .integer(let units) = member.value,
                let money = try? Money(minorUnits: units, currency: currency)
            else { continue }
            all.append(Member(member.key + "_decimal", .string(money.decimal)))
        }
        return .object(all)
    }
}

extension String.UTF8View {
    /// Whether the last bytes are those of a text.
    func ends(with text: StaticString) -> Bool {
        suffix(text.utf8CodeUnitCount).elementsEqual(text.description.utf8)
    }
}
