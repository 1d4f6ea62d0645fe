/**
 * How far a network address reaches. `public` is the internet, `private` a network of an organization or home,
 * `loopback` this machine, `link-local` the cable.
 */
export type Zone = "public" | "private" | "loopback" | "link-local";
