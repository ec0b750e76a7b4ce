import { domainToUnicode } from 'node:url';

export function fullName({
	firstName,
	lastName,
}: {
	readonly firstName: string;
	readonly lastName: string;
}): string {
	return firstName === '' ? lastName : `${firstName} ${lastName}`;
}

/** The address with umlauts in its domain, which is stored in its xn-- form. */
export function readableEmail(email: string): string {
	const at = email.lastIndexOf('@') + 1;
	return email.slice(0, at) + (domainToUnicode(email.slice(at)) || email.slice(at));
}
