import { MAX_ANSWER_LENGTH } from "./readAnswer.ts";

/** What a pasted text holds: a query to judge, or why it cannot be an answer. */
export type PastedAnswer =
  { readonly kind: "query"; readonly query: string } | { readonly kind: "unusable"; readonly reason: string };

/** How a query begins that was pasted without its address. */
const QUERY = /^\??[\w.~%-]+=/;

/**
 * Finds the query in what a person pasted: the whole address that the browser ended on, or only what follows its
 * question mark. An address has to be one of those that this sign-in may end on.
 *
 * @param addresses where the browser is sent back to, and where this machine listens.
 */
export function readPasted(text: string, addresses: readonly string[]): PastedAnswer {
  const pasted = text.trim();
  if (pasted === "") return unusable("it is empty");
  if (pasted.length > MAX_ANSWER_LENGTH) return unusable("it is too long");
  // The URL parser would leave line breaks out without a word, and put what is on both sides together.
  if (/[^\x21-\x7E]/.test(pasted))
    return unusable("it holds spaces, line breaks or other letters than addresses have");
  if (QUERY.test(pasted)) return takeQuery(pasted.replace(/^\?/, ""));
  // Browsers do not show the scheme, and so it may be missing.
  const address = [pasted, `http://${pasted}`, `https://${pasted}`]
    .filter((spelling) => URL.canParse(spelling))
    .map((spelling) => new URL(spelling))
    .find((url) => addresses.some((expected) => isSamePlace(url, expected)));
  if (address === undefined) return unusable("it is not an address that this sign-in comes back to");
  if (address.search === "" && /[#&](code|error|response)=/.test(address.hash))
    return unusable("the authorization server put the answer behind a “#”, where it does not belong");
  return takeQuery(address.search.slice(1));
}

function isSamePlace(address: URL, expected: string): boolean {
  const place = new URL(expected);
  return (
    address.protocol === place.protocol &&
    address.host === place.host &&
    address.pathname === place.pathname &&
    address.username === "" &&
    address.password === ""
  );
}

function takeQuery(query: string): PastedAnswer {
  const plain = query.split("#", 1)[0] ?? "";
  return plain.includes("=") ? { kind: "query", query: plain } : unusable("it has no parameters");
}

function unusable(reason: string): PastedAnswer {
  return { kind: "unusable", reason };
}
