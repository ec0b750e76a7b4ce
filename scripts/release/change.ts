/** One difference between two versions of the API, as docs/api-policy.md classifies it. */
export interface Change {
	readonly kind: 'breaking' | 'added' | 'deprecated';
	/** For the changelog, in Markdown. */
	readonly text: string;
}
