import CZlib
package import SQL
package import StrictJSON

/// The document of a step as `order_step.document` has it: JSON, packed by zlib with a dictionary of what such documents say.
///
/// The bytes are one stream of RFC 1950, with nothing behind it, whose header names the dictionary by its Adler-32. A document
/// of an order of three payments takes a quarter of its text. The stream ends with a checksum of the text.
///
/// Another dictionary would be one more beside this one, which stays for the documents that were packed with it.
package enum StepDocument {
    /// No text is longer than this, in bytes; what unpacks to more is none.
    private static let longest = 64 << 20
    /// How far back a stream refers, as a power of two in bytes: more than the dictionary, and enough for a document.
    private static let windowBits: Int32 = 12
    /// zlib's usual level.
    private static let level: Int32 = 6
    /// A size of zlib's tables that is soon cleared, and as good for short texts.
    private static let memoryLevel: Int32 = 5

    /// Packs a document.
    package static func packed(_ document: JSON) -> [UInt8] { pack(document.bytes) }

    /// Reads a document back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``packed(_:)`` does not make.
    package static func read(_ bytes: [UInt8]) throws(SQLError) -> JSON {
        guard let text = unpack(bytes), let document = try? JSON.parse(text) else {
            throw .unexpectedValue(column: "order_step.document")
        }
        return document
    }

    /// Lends a stream that stays in its place: zlib's state refers to it.
    private static func withStream<Value>(_ body: (UnsafeMutablePointer<z_stream>) -> Value) -> Value {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        return unsafe body(stream)
    }

    private static func pack(_ text: [UInt8]) -> [UInt8] {
        unsafe withStream { stream in
            let begun = unsafe czlib_begin_packing(stream, level, windowBits, memoryLevel)
            precondition(begun == Z_OK, "there is no memory")
            defer { unsafe deflateEnd(stream) }
            unsafe deflateSetDictionary(stream, dictionary, uInt(dictionary.count))
            let room = unsafe Int(deflateBound(stream, uLong(text.count)))
            return unsafe text.withUnsafeBufferPointer { source in
                unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
                    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                    unsafe stream.pointee.avail_in = uInt(source.count)
                    unsafe stream.pointee.next_out = target.baseAddress
                    unsafe stream.pointee.avail_out = uInt(room)
                    let ended = unsafe deflate(stream, Z_FINISH)
                    precondition(ended == Z_STREAM_END, "zlib says how much room a text takes at most")
                    count = unsafe room - Int(stream.pointee.avail_out)
                }
            }
        }
    }

    /// The text of a stream; nil if the bytes are not one of this dictionary, complete and with nothing behind it.
    private static func unpack(_ bytes: [UInt8]) -> [UInt8]? {
        unsafe withStream { stream in
            guard unsafe czlib_begin_unpacking(stream) == Z_OK else { return nil }
            defer { unsafe inflateEnd(stream) }
            var text: [UInt8] = []
            var (state, hasDictionary) = (Z_OK, false)
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = uInt(source.count)
                repeat {
                    if state == Z_NEED_DICT {
                        state = unsafe inflateSetDictionary(stream, dictionary, uInt(dictionary.count))
                        guard state == Z_OK else { return }
                        hasDictionary = true
                    }
                    let room = max(2048, text.count)
                    text += unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
                        unsafe stream.pointee.next_out = target.baseAddress
                        unsafe stream.pointee.avail_out = uInt(room)
                        state = unsafe inflate(stream, Z_NO_FLUSH)
                        count = unsafe room - Int(stream.pointee.avail_out)
                    }
                } while (state == Z_OK || state == Z_NEED_DICT) && text.count <= longest
            }
            let isWhole = unsafe state == Z_STREAM_END && stream.pointee.avail_in == 0 && text.count <= longest
            return isWhole && hasDictionary ? text : nil
        }
    }

    /// What documents say again and again, what is most frequent at the end (RFC 1950 section 2.2).
    private static let dictionary = Array(
        """
        "dispute.opened","dispute.won","dispute.lost",{"respond_by":"order.webhook_dismissed","order.release_requested",\
        "order.authorization_expiring","order.capture_requested",{"by":"order.cancel_requested","payment.cancel_requested",\
        "payment.authorized_twice","payment.released_by_psp","payment.captured_by_psp","payment.refunded_by_psp",\
        "payment.action_expired","payment.action_completed","payment.retry_requested","payment.resolved",{"kind":"authorize",\
        "payment.recorded",{"deed":"evidence":"payment.token_opened","order.requires_action","order.attention_required",\
        "payment.rerouted",{"from":"webhook","operator","inquiry","psp","next_try_at":"2026-,\
        "message":"Do not honor","category":"soft_decline","hard_decline","insufficient_funds","fraud","code":"declined"],\
        "reason":"timeout","connection","not_sent","unknown","pending","action_required","rejected","reversed","declined",\
        "deadline_passed","canceled_by_merchant","api_key","key_","req_","127.0.0.1",\
        "order.expired","order.canceled","order.failed","order.partially_paid","order.refunded","order.partially_refunded",\
        "payment.failed","payment.declined",{"code":"payment.voided","payment.void_started",{"amount":\
        "payment.refund_started",{"refund":"payment.refunded",\
        ,"order.refused",{"reason":"policy_not_satisfied","policy":"best_effort","payments":[": declined",": voided",\
        {"facts":[],"events":[[1,,"order.placed",608,null,null,{"policy":"all_or_nothing","amount":,"currency":"USD","payable":}],\
        ,"payment.routed",608,null,{"psp":"simulator","psp_account":"psp-0","amount":1000}],[\
        ,"payment.capture_started",{"amount":1000,"decision":"cleared"}],[\
        ,"order.accepted",null,null,{"reason":"policy_satisfied","policy":"all_or_nothing","payments":[": captured","\
        ],"counts_on":[],"order.status_changed",null,null,{"from":"processing","to":"paid"}]],"told":[[\
        ,"order.cleared",null,null,{"reason":"policy_satisfied","policy":"all_or_nothing","payments":[": authorized","\
        ]}],[,"payment.captured",4,-1,0],[,"order.paid",5,-1,0],["order.accepted",,0,0],[,1,0],[\
        {"facts":[[,"succeeded",,"gateway","op_pi_ch_au_att_",1000],[]],"events":[[\
        ,"payment.captured",,{"amount":1000,"done_amount":1000,"psp_reference":true}],[\
        ,"payment.authorized",,{"amount":1000,"done_amount":1000,"psp_reference":true}],[
        """.utf8
    )
}
