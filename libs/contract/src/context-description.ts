/** What the system has to know of one context; `services/<name>/context.ts` holds it as data, without code. */
export interface ContextDescription {
	/** Lower-case letters and digits: part of addresses, of environment variables and of a role in the database. */
	readonly name: string;
	/** What the context stores, in a few words for the landing page and the documents. */
	readonly summary: string;
	/** Requests at and below it belong to the context; matched at segment boundaries. */
	readonly prefix: `/${string}`;
	/** Single addresses outside the prefix that belong to the context too. */
	readonly alsoAt?: readonly `/${string}`[];
	/** Its port is the gateway's plus this. Fixed once given, so that an address never changes its owner. */
	readonly portOffset: number;
	/** Without a usable instance of a critical context the whole system counts as DOWN. */
	readonly critical: boolean;
	/** Milliseconds to the response headers where the gateway's general setting doesn't fit. */
	readonly responseTimeoutMs?: number;
	/** True if it checks the live session itself at each change; the gateway then does not. */
	readonly checksSessions?: true;
	/** True if it has a database and a role of its own, both `paddock_<name>`. */
	readonly hasDatabase: boolean;
	/** The contexts that it calls. */
	readonly calls: readonly string[];
	/** As which client auth issues tokens for calls to other services; it then has a SERVICE_SECRET. */
	readonly client?: {
		/** UUID, the `sub` of its tokens; fixed, so that a log names the same client for years. */
		readonly id: string;
		/** The rights at other services, as their internal routes name them. */
		readonly scopes: readonly string[];
	};
	/** True for the one that issues those tokens; it then has the SERVICE_SECRETS of all clients. */
	readonly issuesServiceTokens?: true;
	/** Settings that no other process may see, each with a sentence about it; the containers require them. */
	readonly secrets?: Readonly<Record<string, string>>;
	/** What its demo records are called. Undefined = no demo data; otherwise `src/demo.ts` removes them. */
	readonly demo?: string;
}
