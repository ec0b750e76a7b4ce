/** Kinds of records that one context owns and others refer to. */
export const referenceTypes = ['COUNTRY', 'STATE', 'VENUE', 'ARENA', 'AGE_CLASS', 'CLUB'] as const;

export type ReferenceType = (typeof referenceTypes)[number];

/** A record to which other contexts may refer. */
export interface Reference {
	readonly type: ReferenceType;
	/** UUID */
	readonly id: string;
	/**
	 * Codes that other contexts store instead of the id: of a COUNTRY its ISO 3166-1 alpha-2 and numeric codes, of a
	 * STATE its ISO 3166-2 code, of an AGE_CLASS its ruleset and code, `OETO:JUNIOR`; empty for the other types.
	 */
	readonly codes: readonly string[];
}

/** The path at which each context counts its references to such records, and the scope of a token for it. */
export const referencesPath = '/internal/references';
export const referencesScope = 'references:count';
