import { domainToUnicode } from 'node:url';

/** The address with umlauts in its domain, which is stored in its xn-- form. */
export function readableEmail(email: string): string {
	const at = email.lastIndexOf('@') + 1;
	return email.slice(0, at) + (domainToUnicode(email.slice(at)) || email.slice(at));
}
