/** The description of one context; `services/<name>/context.ts` exports it as data, without code. */
export interface ContextDescription {
	/** Lower-case letters and digits: part of addresses, of environment variables and of a database role. */
	readonly name: string;
	/** The records of the context, in a few words, for the landing page and the documents. */
	readonly summary: string;
	/** Path prefix of the context's requests; matched at segment boundaries. */
	readonly prefix: `/${string}`;
	/** Single paths outside the prefix that also belong to the context. */
	readonly alsoAt?: readonly `/${string}`[];
	/** Offset of its port from the gateway's. Never changed, so that an address never gets another owner. */
	readonly portOffset: number;
	/** Without a usable instance of a critical context the whole system is DOWN. */
	readonly critical: boolean;
	/** Time-out in milliseconds for the response headers, if the gateway's general setting doesn't fit. */
	readonly responseTimeoutMs?: number;
	/** True if the context checks the live session itself at each change; the gateway then doesn't. */
	readonly checksSessions?: true;
	/** True if it has its own database and role, both `paddock_<name>`. */
	readonly hasDatabase: boolean;
	readonly calls: readonly string[];
	/** The client for which auth issues tokens for calls to other services; the context then has a SERVICE_SECRET. */
	readonly client?: {
		/** UUID, the `sub` of its tokens; never changed, so that logs identify the client permanently. */
		readonly id: string;
		/** The permissions at other services, named as in their internal routes. */
		readonly scopes: readonly string[];
	};
	/** True for the context that issues those tokens; it then has the SERVICE_SECRETS of all clients. */
	readonly issuesServiceTokens?: true;
	/** Settings restricted to this process, each with a one-sentence description; the containers require them. */
	readonly secrets?: Readonly<Record<string, string>>;
	/** The name of its demo records. Undefined = no demo data; otherwise `src/demo.ts` removes them. */
	readonly demo?: string;
}

export const referencedTypes = ['COUNTRY', 'STATE', 'VENUE', 'ARENA', 'AGE_CLASS', 'CLUB'] as const;

export type ReferencedType = (typeof referencedTypes)[number];

export interface ReferencedRecord {
	readonly type: ReferencedType;
	readonly id: string;
	/** Codes in place of the id: COUNTRY alpha-2 and numeric, STATE ISO 3166-2, AGE_CLASS `OETO:JUNIOR`; otherwise empty. */
	readonly codes: readonly string[];
}

/** The path at which each context counts its references to such records, and the scope of a token for it. */
export const referencesPath = '/internal/references';
export const referencesScope = 'references:count';
