import COpenSSL

/// A private key on P-256, ready for key agreement (ECDH, SP 800-56A 5.7.1.2).
///
/// The scalar and the group are only read, which OpenSSL lets threads do at the same time: hence the unchecked
/// conformance. The scalar is cleared when the key goes.
@safe
package final class AgreementKey: @unchecked Sendable {
    private let scalar: OpaquePointer
    private let group: OpaquePointer

    /// Takes the scalar of a private key; nil if it is not on P-256.
    package init?(_ key: PrivateKey) {
        guard key.kind == .p256, let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        var scalar: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key.pointer, OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1,
            let scalar = unsafe scalar
        else {
            unsafe EC_GROUP_free(group)
            ERR_clear_error()
            return nil
        }
        unsafe BN_set_flags(scalar, BN_FLG_CONSTTIME)
        unsafe self.scalar = scalar
        unsafe self.group = group
    }

    deinit {
        unsafe BN_clear_free(scalar)
        unsafe EC_GROUP_free(group)
    }

    /// The shared secret with the owner of a public point: its x coordinate, 32 bytes with leading zeros.
    ///
    /// - Parameter point: the point uncompressed (SEC 1, 2.3.3): `04`, x and y, 65 bytes.
    /// - Returns: the secret, for the caller to cleanse; nil if the point is malformed or not on the curve.
    package func sharedSecret(withPoint point: [UInt8]) -> [UInt8]? {
        guard point.count == 65, point[0] == 4, let context = unsafe BN_CTX_new() else { return nil }
        defer { unsafe BN_CTX_free(context) }
        guard let peer = unsafe EC_POINT_new(group) else { return nil }
        defer { unsafe EC_POINT_clear_free(peer) }
        // Reading a point checks that it is on the curve; P-256 has a cofactor of 1, so that is all there is to check.
        guard unsafe EC_POINT_oct2point(group, peer, point, point.count, context) == 1,
            unsafe EC_POINT_mul(group, peer, nil, peer, scalar, context) == 1,
            unsafe EC_POINT_is_at_infinity(group, peer) == 0, let x = unsafe BN_new()
        else {
            ERR_clear_error()
            return nil
        }
        defer { unsafe BN_clear_free(x) }
        var secret = [UInt8](repeating: 0, count: 32)
        guard unsafe EC_POINT_get_affine_coordinates(group, peer, x, nil, context) == 1,
            unsafe BN_bn2binpad(x, &secret, 32) == 32
        else {
            ERR_clear_error()
            return nil
        }
        return secret
    }
}
