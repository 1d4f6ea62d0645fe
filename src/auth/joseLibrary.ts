/**
 * What is used of jose. Loaded with `import()` alone, when something is signed for the first time: who never signs in
 * does without. Naming what is used keeps the rest out of what is built.
 */
export { calculateJwkThumbprint, importJWK, SignJWT } from "jose";
