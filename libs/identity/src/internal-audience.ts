/**
 * The `aud` of tokens between services. It differs from that of user tokens, so that neither kind is accepted in place
 * of the other (RFC 8725 §3.9, §3.12), whatever other claims a token has.
 */
export function internalAudience(audience: string): string {
	return `${audience}-internal`;
}
