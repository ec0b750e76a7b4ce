/**
 * The `aud` of the tokens that services show to each other. It differs from that of people's tokens, so that neither kind
 * is believed where the other one belongs (RFC 8725 §3.9, §3.12), whatever else a token says.
 */
export function internalAudience(audience: string): string {
	return `${audience}-internal`;
}
