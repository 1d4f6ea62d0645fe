/** User name and password of an address as the value of an authorization header; undefined when it has neither. */
export function basicCredentials(url: URL): string | undefined {
  if (url.username === "" && url.password === "") return undefined;
  const pair = `${decodePart(url.username)}:${decodePart(url.password)}`;
  return `Basic ${Buffer.from(pair, "utf8").toString("base64")}`;
}

/** A percent sign that begins no escape is legal here and stands for itself. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
