/** What the editor's own settings say about networks, as `http.proxy` and its neighbours in VS Code. */
export interface EditorNetworkSettings {
  /** The address of a proxy for everything; empty for none. */
  readonly proxy: string;
  /** The whole value of `Proxy-Authorization`, for a proxy whose address holds no user name. */
  readonly proxyAuthorization: string | undefined;
  /** Hosts that are reached directly, in the notation of `NO_PROXY`. */
  readonly noProxy: readonly string[];
  /** False turns off the editor's proxy and those of the environment. */
  readonly proxySupport: boolean;
  /** Whether the certificate authorities of the operating system are trusted beside the built-in ones. */
  readonly systemCertificates: boolean;
}

/** What applies to the connections to all servers. Each new connection reads it anew. */
export interface NetworkSettings {
  readonly editor: EditorNetworkSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The settings where there is no editor. */
export const NO_EDITOR: EditorNetworkSettings = {
  proxy: "",
  proxyAuthorization: undefined,
  noProxy: [],
  proxySupport: true,
  systemCertificates: true,
};

/** Certificates of one server beyond what everybody trusts. Texts are in PEM form. */
export interface TlsOptions {
  /** Authorities to trust beside the others. */
  readonly ca?: string;
  /** The certificate to show to the server, with the chain that leads to its authority. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** The name that the server's certificate must be made out to, where it is not that of the address. */
  readonly serverName?: string;
}

/** How one server is reached, as its definition says. */
export interface RouteOptions {
  /** The address of a proxy, or `false` for a direct connection; undefined follows editor and environment. */
  readonly proxy?: string | false;
  readonly tls?: TlsOptions;
  /** Whether to speak HTTP/2 where the server offers it. */
  readonly http2?: boolean;
}
