/// Divides whole units by weights, exactly (Hamilton's method).
package enum LargestRemainder {
    /// Shares of `total` in proportion to `weights`, which sum to `total` exactly.
    ///
    /// Each share is within one unit of its ideal; units left by rounding down go to the largest remainders, ties
    /// to the earlier line. Products are 128 bits wide, so nothing overflows.
    ///
    /// - Precondition: `total` and all weights are at least 0, and some weight is above 0 unless `total` is 0.
    package static func allocate(_ total: Int64, by weights: [Int64]) -> [Int64] {
        let sum = weights.reduce(Int128(0)) { $0 + Int128($1) }
        guard total > 0 else { return weights.map { _ in 0 } }
        precondition(sum > 0, "units cannot be divided among weights of zero")
        let products = weights.map { Int128(total) * Int128($0) }
        var shares = products.map { Int64($0 / sum) }
        let left = Int(total - shares.reduce(0, +))
        let byRemainder = products.indices.sorted { first, second in
            let (one, other) = (products[first] % sum, products[second] % sum)
            return one == other ? first < second : one > other
        }
        for index in byRemainder.prefix(left) { shares[index] += 1 }
        return shares
    }
}
