#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Swift cannot use macros with parameters and variadic functions. Each wrapper below stands for one of them.

// BIO_get_mem_data is a macro over BIO_ctrl.
static inline long copenssl_bio_contents(BIO *_Nonnull bio, char *_Nullable *_Nonnull bytes) {
    return BIO_get_mem_data(bio, bytes);
}

// Stacks are typed by macros.
static inline int copenssl_certificate_count(const STACK_OF(X509) *_Nullable stack) { return sk_X509_num(stack); }

static inline X509 *_Nullable copenssl_certificate_at(const STACK_OF(X509) *_Nonnull stack, int index) {
    return sk_X509_value(stack, index);
}

static inline STACK_OF(X509) *_Nullable copenssl_certificates_new(void) { return sk_X509_new_null(); }

// The stack does not own the certificate.
static inline int copenssl_certificates_push(STACK_OF(X509) *_Nonnull stack, X509 *_Nonnull certificate) {
    return sk_X509_push(stack, certificate);
}

// Frees the stack and leaves the certificates alone.
static inline void copenssl_certificates_free(STACK_OF(X509) *_Nullable stack) { sk_X509_free(stack); }

// Frees the stack and drops one reference to each certificate.
static inline void copenssl_certificates_release(STACK_OF(X509) *_Nullable stack) {
    sk_X509_pop_free(stack, X509_free);
}

static inline int copenssl_signer_count(CMS_ContentInfo *_Nonnull message) {
    return sk_CMS_SignerInfo_num(CMS_get0_SignerInfos(message));
}

static inline CMS_SignerInfo *_Nullable copenssl_signer_at(CMS_ContentInfo *_Nonnull message, int index) {
    return sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(message), index);
}

// Key generation is variadic.
static inline EVP_PKEY *_Nullable copenssl_generate_ec(const char *_Nonnull curve) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", (char *)curve);
}

static inline EVP_PKEY *_Nullable copenssl_generate_rsa(size_t bits) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}
