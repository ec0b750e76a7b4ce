export type ConsulAddress = ReturnType<typeof parseConsulAddress>;

/**
 * Reads Consul's own variable CONSUL_HTTP_ADDR, here also as a comma-separated list; the port defaults to 8500, the scheme
 * to `https` with CONSUL_HTTP_SSL.
 * @throws Error for anything else, Unix sockets and paths included
 */
export function parseConsulAddresses(
	text: string,
	{ secure = false } = {},
): [ConsulAddress, ...ConsulAddress[]] {
	const [first = '', ...others] = text.split(',').map((part) => part.trim());
	const parse = (part: string) => parseConsulAddress(part, secure);
	return [parse(first), ...others.map(parse)];
}

/** `http://host:port` */
export function consulUrl({ host, port, secure }: ConsulAddress): string {
	return `${secure ? 'https' : 'http'}://${host}:${port}`;
}

function parseConsulAddress(text: string, secure: boolean) {
	const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
	const url = URL.parse(hasScheme ? text : `${secure ? 'https' : 'http'}://${text}`);
	const usable =
		url !== null &&
		(url.protocol === 'http:' || url.protocol === 'https:') &&
		url.hostname !== '' &&
		url.port !== '0' &&
		(url.pathname === '/' || url.pathname === '') &&
		`${url.username}${url.password}${url.search}${url.hash}` === '';
	if (!usable) throw new Error(`Bad address of Consul "${text}": host:port, http://… or https://… expected`);
	// The URL parser drops the scheme's default port, so the port is read from the text after any IPv6 address.
	const stated = /:(\d+)\/?$/.exec(text.replace(/^.*\]/, ''))?.[1];
	return {
		host: url.hostname,
		port: stated === undefined ? 8500 : Number(stated),
		secure: url.protocol === 'https:',
	};
}
