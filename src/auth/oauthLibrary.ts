/**
 * What is used of oauth4webapi: the functions that write requests. Loaded with `import()` alone, when tokens are asked
 * for the first time, as `joseLibrary.ts` is.
 */
export {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Marked so for the sake of attention only.
  allowInsecureRequests,
  customFetch,
  genericTokenEndpointRequest,
  pushedAuthorizationRequest,
  revocationRequest,
} from "oauth4webapi";
