import { NetError } from "./netError.ts";

/**
 * Reads the address of a request for authorization: absolute, http or https, without user name and fragment. Its own
 * text is in no error, because it comes from others.
 * @throws NetError `address-refused`
 */
export function readPinnedUrl(text: string, serverName: string): URL {
  const refuse = (reason: string): never => {
    throw new NetError("address-refused", { server: serverName, reason });
  };
  if (!URL.canParse(text)) return refuse("it is not an address");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse(`${url.protocol} is neither http nor https`);
  }
  if (url.username !== "" || url.password !== "") return refuse(`${url.host} comes with a user name`);
  // A `#` with nothing behind it is a fragment too, and `hash` does not tell.
  if (url.href.includes("#")) return refuse(`the one at ${url.host} has a fragment`);
  return url;
}
