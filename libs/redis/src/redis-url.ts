/** Whether a text is such as `redis://user:password@host:6379/0` or `rediss://…`; a query could set options of the client. */
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
