/// Wallet tokens that are refused; `stage` says which check failed.
enum TokenProblems {
    /// The checks of a token, in their order, as a violation names them.
    private enum Stage: String {
        case structure, signature, decryption, payload, replay
        case certificateChain = "certificate_chain"
        case signingTime = "signing_time"
        case keySelection = "key_selection"
        case orderMismatch = "order_mismatch"
    }

    static let all: [ProblemCode] = [
        token("token_too_long", .structure, "The token is longer than any token is."),
        token("malformed_token", .structure, "The token has not the form of one."),
        token(
            "unknown_shape",
            .structure,
            "The token is none of the shapes in which the wallet's libraries hand it over."
        ),
        token("unknown_version", .structure, "The token is of a version that we do not know."),
        token("version_key_mismatch", .structure, "The token's header has another kind of key than its version."),
        token("unsigned_token", .structure, "The token is of a protocol without a signature."),
        token("malformed_certificate", .certificateChain, "A certificate of the token cannot be read."),
        token("certificate_count", .certificateChain, "The token has too many certificates, or none."),
        token("decoy_certificate", .certificateChain, "The token has a certificate that is not of the signer's chain."),
        token("untrusted_chain", .certificateChain, "The certificates do not lead to the wallet's root."),
        token("missing_leaf_marker", .certificateChain, "The signer's certificate is none for tokens."),
        token("missing_intermediate_marker", .certificateChain, "The issuer's certificate is none for token signers."),
        token("not_valid_when_signed", .certificateChain, "A certificate was not valid when the token was signed."),
        token("unknown_environment", .certificateChain, "The signer says neither production nor sandbox."),
        token("unusable_signer_key", .certificateChain, "The signer's key cannot verify."),
        token("unknown_signer", .certificateChain, "The signer has no certificate in the token."),
        token("no_root_key", .certificateChain, "Nothing is configured to verify the token with."),
        token("malformed_intermediate_key", .certificateChain, "The intermediate key cannot be read."),
        token(
            "untrusted_intermediate_key",
            .certificateChain,
            "The intermediate key is not signed by the wallet's root."
        ),
        token("intermediate_key_expired", .certificateChain, "The intermediate key's time is over."),
        token("signature_too_long", .signature, "The signature is longer than any is."),
        token("embedded_content", .signature, "The signature holds content and should be detached."),
        token("signer_count", .signature, "The signature has not exactly one signer."),
        token("malformed_signature", .signature, "The signature cannot be read."),
        token("malformed_signed_message", .signature, "The signed message has not its form."),
        token("wrong_algorithm", .signature, "The signature is of another algorithm."),
        token("content_changed", .signature, "What was signed is not what came."),
        token("invalid_signature", .signature, "The signature does not verify."),
        token("environment_mismatch", .signature, "The token was made in another environment than is taken here."),
        token("not_valid_now", .signingTime, "A certificate is not valid now."),
        token("outside_window", .signingTime, "The token was signed too long ago, or in the future."),
        token("message_expired", .signingTime, "The token's own time is over."),
        token("unknown_key", .keySelection, "The token is encrypted for a key that is not here."),
        token("wrong_key_kind", .keySelection, "The key that the token names opens tokens of the other version."),
        token("token_merchant_mismatch", .keySelection, "The key that opened the token belongs to another merchant."),
        token("missing_gateway_merchant_id", .keySelection, "The token names no merchant of the gateway."),
        token("gateway_merchant_mismatch", .keySelection, "The token was requested for another gateway merchant."),
        token("invalid_ephemeral_key", .decryption, "The token's own key is no point on the curve."),
        token("cannot_unwrap", .decryption, "The wrapped key is not for the key that the token names."),
        token("wrapped_key_length", .decryption, "The wrapped key is not one of AES-128."),
        token("cannot_decrypt", .decryption, "The token cannot be decrypted."),
        token("authentication_failed", .decryption, "The token was changed, or is encrypted for another key."),
        token("malformed_payload", .payload, "What was encrypted has not its form."),
        token("missing_cryptogram", .payload, "The token has no cryptogram."),
        token("malformed_cryptogram", .payload, "A cryptogram is not base 64."),
        token("repeated_cryptogram", .payload, "Two responses of a bundle have the same cryptogram."),
        token("missing_merchant_hash", .payload, "A response of a bundle names no merchant."),
        token("repeated_merchant_hash", .payload, "Two responses of a bundle are for the same merchant."),
        token("no_authentication_responses", .payload, "The token is none of a multi-merchant sheet."),
        token("unsupported_payment_method", .payload, "The token is for no card."),
        token("pan_only_not_supported", .payload, "The token is a card number without a cryptogram."),
        token("emv_not_supported", .payload, "The token has EMV data."),
        token("token_already_used", .replay, "An order was placed with the token."),
        token("token_amount_mismatch", .orderMismatch, "The token is over another amount or currency than the order."),
        token(
            "application_data_mismatch",
            .orderMismatch,
            "The token is not of the payment request that the order names."
        ),
        token(
            "multi_merchant_token_on_one_context",
            .orderMismatch,
            "The bundle of a multi-merchant sheet stands on one context."
        ),
        token(
            "authentication_response_count_mismatch",
            .orderMismatch,
            "The bundle has another number of responses than the order has contexts."
        ),
        token(
            "authentication_amounts_mismatch",
            .orderMismatch,
            "The amounts that the buyer authorized are not those of the contexts."
        ),
        token(
            "ambiguous_authentication_responses",
            .orderMismatch,
            "Equal amounts leave open which response is whose."
        ),
        token(
            "confirmed_hash_contradicted",
            .orderMismatch,
            "A merchant hash that an operator confirmed stands for another merchant here."
        ),
    ]

    private static func token(_ code: String, _ stage: Stage, _ meaning: String) -> ProblemCode {
        ProblemCode(code, [422], "\(meaning) (\(stage.rawValue))", remedy(stage))
    }

    private static func remedy(_ stage: Stage) -> String {
        switch stage {
        case .structure:
            "Send the token exactly as the wallet gave it."
        case .certificateChain:
            """
            Have the buyer pay again; if it stays, `apple-pay open` or `google-pay open` says more. A token \
            that was not made by the wallet is refused so.
            """
        case .signature:
            "Have the buyer pay again; send the token exactly as the wallet gave it."
        case .signingTime:
            "Have the buyer pay again, and check the clock."
        case .keySelection:
            "Configure the certificate or merchant that the page uses, or have the page use ours."
        case .decryption:
            "Check which certificate the page's merchant has at the wallet; have the buyer pay again."
        case .payload:
            "Have the buyer pay again, or otherwise."
        case .replay:
            "Read the order that it paid; else have the buyer pay again."
        case .orderMismatch:
            "Place the order as the sheet showed it, or open the sheet again."
        }
    }
}
