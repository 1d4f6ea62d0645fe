// Loaded before the client: tells the runner which kinds of answers the scenario's server gave, as one line at the end.
import diagnostics from "node:diagnostics_channel";

const kinds = new Set();
diagnostics.subscribe("undici:request:headers", ({ response }) => {
  const type = contentType(response.headers);
  if (type !== undefined) kinds.add(type);
});
process.on("exit", () => {
  process.stderr.write(`answered with: ${[...kinds].sort().join(", ")}\n`);
});

/** The media type of an answer, without parameters; names and values alternate, as they stood on the wire. */
function contentType(headers) {
  const at = headers.findIndex(
    (name, index) => index % 2 === 0 && String(name).toLowerCase() === "content-type",
  );
  return at === -1
    ? undefined
    : String(headers[at + 1])
        .split(";")[0]
        .trim();
}
