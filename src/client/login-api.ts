/** What a page and a server say to each other before the page is in, and about who is. */

/** What a page must see before it says anything: the server's proof that it is the one the page knows. */
export interface Hello {
  /** Drawn at each start of the server; requests are signed for it. */
  boot: string;
  /** The server's signature of it, with the page's own origin and nonce. */
  proof: string;
}

/** A browser comes in with a code, or with the key that it registered before; always for one page, which has a key of its own. */
export type LoginRequest = RegisterRequest | OpenRequest;

export interface RegisterRequest {
  boot: string;
  pageKey: string;
  browserKey: string;
  /** Made with the code. */
  mac: string;
}

export interface OpenRequest {
  boot: string;
  pageKey: string;
  browser: string;
  signature: string;
}

export interface LoginAnswer {
  browser: string;
  /** What people call it. */
  name: string;
  /** The page shows it with each request. */
  certificate: string;
  serverKey: string;
}

/** A way in for one more browser; works once. */
export interface LoginLink {
  link: string;
  code: string;
}

/** A way in for a phone: it lives two minutes, works once, and whoever comes by it has to be confirmed. */
export interface GuestLink {
  link: string;
  endsAt: number;
}

/** Somebody who came by such a link and waits. */
export interface GuestRecord {
  id: string;
  name: string;
  /** Four digits that the guest's own screen shows too. */
  mark: string;
  since: number;
}

export interface GuestAnswer {
  letIn: boolean;
}

/** A browser that was let in. */
export interface BrowserRecord {
  id: string;
  name: string;
  /** The address under which it is known. */
  origin: string;
  createdAt: number;
  /** When it last loaded the page. */
  usedAt: number;
}
