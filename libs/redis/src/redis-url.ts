/**
 * Whether a text is an address such as `redis://user:password@host:6379/0`, or `rediss://` for TLS. Queries are refused:
 * the client would read options from them, a password included.
 */
export function isRedisUrl(text: string): boolean {
	const url = URL.parse(text);
	return (
		url !== null &&
		/^rediss?:$/.test(url.protocol) &&
		url.hostname !== '' &&
		/^(\/\d{0,3})?$/.test(url.pathname) &&
		`${url.search}${url.hash}` === ''
	);
}
