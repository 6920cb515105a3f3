package import Domain
package import SQL
package import Storage

extension OrderWriter {
    /// Writes a step of an order down as of the moment it was placed, over what is stored of its work.
    ///
    /// - Throws: `SQLError`.
    package static func update(
        _ order: Order,
        from previous: Order,
        _ record: OrderMachine.Record,
        answer: [UInt8]?,
        wakeAt: Timestamp?,
        in session: any Session
    ) throws(SQLError) {
        let locked = try OrderReader.lockToStep(order.id, by: "test", at: order.createdAt, in: session)
        try update(
            order,
            from: previous,
            record,
            work: locked?.work,
            at: order.createdAt,
            answer: answer,
            wakeAt: wakeAt,
            in: session
        )
    }
}
