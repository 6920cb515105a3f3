/// The form of bodies, of merchants and of payment requests.
enum DocumentProblems {
    static let all: [ProblemCode] = [
        ProblemCode(
            "empty",
            [400, 422],
            "There is nothing where something has to be.",
            "Send a value, or leave the field out."
        ),
        ProblemCode("unexpected_end", [400], "The JSON ends inside a value.", "Send the whole document."),
        ProblemCode(
            "unexpected_character",
            [400],
            "A character stands where JSON has no place for it.",
            "Write the body with a JSON library."
        ),
        ProblemCode(
            "trailing_comma",
            [400],
            "A comma stands before a closing bracket.",
            "Write the body with a JSON library."
        ),
        ProblemCode("trailing_content", [400], "Something follows the JSON value.", "Send one value."),
        ProblemCode(
            "malformed_number",
            [400],
            "A number is not written as JSON writes numbers.",
            "Write the body with a JSON library."
        ),
        ProblemCode(
            "malformed_escape",
            [400],
            "An escape sequence is not one of JSON's.",
            "Write the body with a JSON library."
        ),
        ProblemCode("control_character", [400], "A control character stands unescaped.", "Escape it, or leave it out."),
        ProblemCode(
            "lone_surrogate",
            [400],
            "An escape names half of a surrogate pair.",
            "Cut text between characters, not within them."
        ),
        ProblemCode("nul", [400], "Text has NUL in it.", "Leave it out."),
        ProblemCode("invalid_utf8", [400], "The body is not UTF-8.", "Encode it as UTF-8."),
        ProblemCode("too_deep", [400], "Arrays and objects are nested too deeply.", "Nest at most 32 deep."),
        ProblemCode("duplicate_key", [400], "An object has a key twice.", "Send each key once."),
        ProblemCode("combining_run", [400], "Text has more than 30 combining marks in a row.", "Leave them out."),
        ProblemCode("missing_field", [422], "A field that has to be there is not.", "Send it; `pointer` says where."),
        ProblemCode("unknown_field", [422], "A field is not described.", "Leave it out; the spelling may be wrong."),
        ProblemCode(
            "wrong_type",
            [422],
            "A value is of another JSON type.",
            "Send the type that the detail names; amounts are integers in minor units."
        ),
        ProblemCode("not_allowed", [422], "A value is none of those allowed.", "Send one that the detail names."),
        ProblemCode(
            "not_an_integer",
            [422],
            "A number has a fraction or an exponent, or does not fit 64 bits.",
            "Send an integer in minor units."
        ),
        ProblemCode(
            "out_of_range",
            [422],
            "A number or time lies outside its range.",
            "Send one inside, as the detail says."
        ),
        ProblemCode("too_short", [422], "Text is shorter than allowed.", "Send more."),
        ProblemCode("too_long", [422], "Text is longer than allowed.", "Cut it."),
        ProblemCode(
            "too_large",
            [422],
            "A file, or what all of them come to, is larger than allowed.",
            "Send a smaller one."
        ),
        ProblemCode("too_few", [422], "A list has fewer elements than allowed.", "Send more."),
        ProblemCode(
            "too_many",
            [422],
            "A list has more elements than allowed.",
            "Send fewer; the rest goes into another request."
        ),
        ProblemCode(
            "invalid_character",
            [422],
            "Text has a character that may not stand there.",
            "Leave it out; the detail names the code point."
        ),
        ProblemCode("contradiction", [422], "Two fields cannot stand beside each other.", "Send one of them."),
        ProblemCode("not_base64", [422], "Text is not base 64.", "Encode it."),
        ProblemCode(
            "malformed_amount",
            [422],
            "An amount of Apple's is not digits with no decimals or exactly two.",
            "Write 12 or 12.50."
        ),
        ProblemCode(
            "too_precise",
            [422],
            "An amount has more decimal digits than the currency.",
            "Round it as the currency says."
        ),
        ProblemCode("negative_amount", [422], "An amount is below zero.", "Send zero or more."),
        ProblemCode("not_positive", [422], "An amount is not above zero.", "Send more than zero."),
        ProblemCode("sum_exceeds_total", [422], "The contexts sum to more than the total.", "Correct the amounts."),
        ProblemCode(
            "sum_below_total",
            [200, 422],
            "The contexts sum to less than the total, which sheets are reported to refuse (a warning unless strict).",
            "Let them sum to the total."
        ),
        ProblemCode(
            "several_merchant_identifiers",
            [200, 422],
            "The contexts have several Apple merchant identifiers (a warning unless strict).",
            "Use one merchant identifier for all."
        ),
        ProblemCode(
            "merchant_under_two_identifiers",
            [200, 422],
            "A merchant stands under two external identifiers (a warning unless strict).",
            "Use one."
        ),
        ProblemCode(
            "merchant_identifier_missing",
            [200, 422],
            "Neither the merchant nor the marketplace has an Apple merchant identifier (a warning unless strict).",
            "Set one on the merchant."
        ),
        ProblemCode("conflicting_merchant_name", [422], "A merchant stands under two names.", "Use one."),
        ProblemCode(
            "ambiguous_if_signed",
            [200, 422],
            "Two contexts have the same amount, so that the buyer's token may not say which is which (a warning unless strict).",
            "Change an amount by a minor unit, or let both settle to one account."
        ),
        ProblemCode(
            "single_context",
            [200, 422],
            "A multi-merchant request with one context (a warning unless strict).",
            "Leave the contexts out."
        ),
        ProblemCode(
            "capability_without_network",
            [200, 422],
            "A merchant capability has no network that it applies to (a warning unless strict).",
            "Correct the lists."
        ),
        ProblemCode(
            "unknown_value",
            [200, 422],
            "A word is none of Apple's that we know (a warning unless strict).",
            "Check its spelling."
        ),
        ProblemCode("missing_capability", [422], "merchantCapabilities lack supports3DS.", "Add it."),
        ProblemCode(
            "version_too_low",
            [422],
            "Token contexts need a newer version of Apple's API.",
            "Send version 14 or later."
        ),
        ProblemCode(
            "conflicting_request_kinds",
            [422],
            "Two kinds of request stand beside each other, and the sheet would be canceled.",
            "Send one of them."
        ),
        ProblemCode("wrong_timing", [422], "The paymentTiming is another than the request's kind has.", "Correct it."),
        ProblemCode("end_before_start", [422], "An end lies before its start.", "Correct the dates."),
        ProblemCode("not_in_future", [422], "A date is not in the future.", "Correct the date."),
    ]
}
