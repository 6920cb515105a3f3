extension Order {
    /// The commission and tax on it in a capture or a refund of a payment that is about to be asked for, in minor
    /// units.
    ///
    /// Together with what the others that succeeded or may succeed were told, it comes to the share of their sum:
    /// any series of partial ones is told exactly what one whole one would be.
    func commission(of operation: Operation, in payment: Payment) -> Int64? {
        let isCapture = operation.kind == .capture
        guard isCapture || operation.givesBack else { return nil }
        // What succeeded with nothing is another one's by now.
        let live = payment.attempts.flatMap(\.operations).filter {
            ($0.isOpen || ($0.state == .succeeded && $0.doneAmount > 0))
                && (isCapture ? $0.kind == .capture : $0.givesBack)
        }
        var lines = payment.allocation
        func share(of amount: Int64, sold: Int64) -> Int64 {
            let changes: [Int64]
            if isCapture {
                for index in lines.indices { lines[index].captured = 0 }
                changes = lines.capture(upTo: amount)
            } else {
                for index in lines.indices { lines[index].refunded = 0 }
                changes = lines.refund(upTo: amount, ofWhichSold: sold)
            }
            return zip(lines, changes).reduce(0) { $0 + ($1.0.kind == .merchant ? 0 : $1.1) }
        }
        func amount(of operations: [Operation]) -> Int64 {
            operations.reduce(0) { $0 + ($1.isOpen ? $1.amount : $1.doneAmount) }
        }
        func sold(of operations: [Operation]) -> Int64 {
            amount(of: operations.filter { givesBackSale($0, of: payment) })
        }
        let all = live + [operation]
        let told = live.reduce(0) { sum, other in
            sum + (other.commission ?? share(of: amount(of: [other]), sold: sold(of: [other])))
        }
        return min(operation.amount, max(0, share(of: amount(of: all), sold: sold(of: all)) - told))
    }

    /// What a PSP keeps of a capture that we did not ask for, in minor units: the commission that it was told with the
    /// authorization, as far as other captures have not kept it.
    func commissionTold(forCaptureOf amount: Int64, in payment: Payment) -> Int64 {
        let captures = payment.attempts.flatMap { $0.all(.capture) }.filter { $0.doneAmount > 0 }
        return min(amount, max(0, captures.reduce(payment.allocation.commission) { $0 - ($1.commission ?? 0) }))
    }
}
