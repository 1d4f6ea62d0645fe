/**
 * A key and a certificate for 127.0.0.1 that no authority signed, for servers of tests that nobody must trust.
 * They guard nothing: the key is public by standing here.
 */
export const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPjs8q253TPLgkr+w
Z864Xn1M4eVMYXX2S8EyFFSnbe+hRANCAARcQUnQm8S32+qEdau0xY3XwmovHgjW
IL5NFQuEVpovcnXtuyTZ4SLIx9Bl/G9zjfSxZAtgkKu6WmXPbTUvV/Tf
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUen6nfdLdJiNg5skAnKVddlhb6j8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEzMDEzMzU0NVoYDzIxMjYxMTA2
MTMzNTQ1WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARcQUnQm8S32+qEdau0xY3XwmovHgjWIL5NFQuEVpovcnXtuyTZ4SLI
x9Bl/G9zjfSxZAtgkKu6WmXPbTUvV/Tfo2QwYjAdBgNVHQ4EFgQUd5wQaaalFE2u
d6huyyXGSPvpcnIwHwYDVR0jBBgwFoAUd5wQaaalFE2ud6huyyXGSPvpcnIwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQDT/dhZnbGi5nsGlZsy0Okyz+DuiOJKwAvZgGB7+TEt3AIhAPHR7iqjBoq0NEVD
1YTr659HZ2anUJo7lp82jWW+g0Hq
-----END CERTIFICATE-----
`,
} as const;
