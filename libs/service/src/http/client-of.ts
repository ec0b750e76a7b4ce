import type { IncomingHttpHeaders } from 'node:http';
import { isIP, isIPv6, SocketAddress } from 'node:net';
import type { Logger } from '@paddock/telemetry';

/** The client of a request, as the connection or the trusted proxies in front report it. */
export interface Client {
	/** An IP address without port and zone; '' if the connection has been closed. */
	readonly address: string;
	readonly protocol: 'http' | 'https';
	/** The authority that the client has requested; undefined if no trusted proxy reports one. */
	readonly host: string | undefined;
}

interface ReceivedRequest {
	readonly headers: IncomingHttpHeaders;
	readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

export type ClientOf = (req: ReceivedRequest) => Client;

interface ClientOfDeps {
	/** Whether forwarding headers from an address are trusted. */
	readonly isTrusted: (address: string) => boolean;
	/** Notified of an element of a trusted proxy that names no address, scheme or host. */
	readonly onUnusable: (header: ForwardingHeader, element: string) => void;
}

export const forwardingHeaders = [
	'x-forwarded-for',
	'x-forwarded-proto',
	'x-forwarded-host',
	'forwarded',
] as const;
export type ForwardingHeader = (typeof forwardingHeaders)[number];

/**
 * Reads `X-Forwarded-For`, `-Proto` and `-Host`, or `Forwarded` (RFC 7239) if the first is absent. The client is the last
 * address that is not of a trusted proxy, or the proxy that appended an element without an address.
 */
export function createClientOf(deps: ClientOfDeps): ClientOf {
	return function clientOf({ headers, socket }) {
		const peer = socket.remoteAddress ?? '';
		const protocol = socket.encrypted === true ? 'https' : 'http';
		if (!isForwarded(headers) || !deps.isTrusted(peer)) return { address: peer, protocol, host: undefined };
		const { address, depth } = nearestClient(deps, peer, headers);
		return {
			address,
			protocol: reported(deps, headers, { name: 'proto', depth, parse: protocolOf }) ?? protocol,
			host: reported(deps, headers, { name: 'host', depth, parse: hostOf }),
		};
	};
}

/** `depth`: the number of elements, from the end, that have been read; at least 1. */
function nearestClient(
	{ isTrusted, onUnusable }: ClientOfDeps,
	peer: string,
	headers: IncomingHttpHeaders,
): { address: string; depth: number } {
	const header = addressHeader(headers);
	let nearest = peer;
	let depth = 0;
	for (const element of elementsFromEnd(textOf(headers, header))) {
		if (!isTrusted(nearest)) break;
		depth += 1;
		const node = header === 'forwarded' ? parametersOf(element).get('for') : unquoted(element);
		const address = addressOf(node ?? '');
		if (address === undefined) {
			onUnusable(header, element);
			break;
		}
		nearest = address;
	}
	return { address: nearest, depth: Math.max(1, depth) };
}

/** What the proxy next to the client reports; its list may be shorter than that of the addresses. */
function reported<Value>(
	{ onUnusable }: ClientOfDeps,
	headers: IncomingHttpHeaders,
	{
		name,
		depth,
		parse,
	}: { name: 'proto' | 'host'; depth: number; parse: (text: string) => Value | undefined },
): Value | undefined {
	const own = `x-forwarded-${name}` as const;
	const element = fromEnd(textOf(headers, own), depth);
	const header = element === undefined ? addressHeader(headers) : own;
	const text = element === undefined ? forwardedParameter(headers, name, depth) : unquoted(element);
	if (text === undefined) return undefined;
	const value = parse(text);
	if (value === undefined) onUnusable(header, text);
	return value;
}

function forwardedParameter(headers: IncomingHttpHeaders, name: string, depth: number): string | undefined {
	if (addressHeader(headers) !== 'forwarded') return undefined;
	return parametersOf(fromEnd(textOf(headers, 'forwarded'), depth) ?? '').get(name);
}

// A proxy that passes on what clients send lets them choose the values.
const warningsMax = 10;
const loggedLength = 100;

export function unusableElements(
	logger: Pick<Logger, 'warn'>,
	count?: (header: ForwardingHeader) => void,
): ClientOfDeps['onUnusable'] {
	const logged = new Set<string>();
	return function onUnusable(header, element) {
		count?.(header);
		const value = element.slice(0, loggedLength);
		const key = `${header} ${value}`;
		if (logged.size >= warningsMax || logged.has(key)) return;
		logged.add(key);
		logger.warn('forwarding header not usable', { header, value });
	};
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
	for (const name of forwardingHeaders) if (headers[name] !== undefined) return true;
	return false;
}

function addressHeader(headers: IncomingHttpHeaders): 'x-forwarded-for' | 'forwarded' {
	return fromEnd(textOf(headers, 'x-forwarded-for'), 1) === undefined ? 'forwarded' : 'x-forwarded-for';
}

function textOf(headers: IncomingHttpHeaders, name: ForwardingHeader): string {
	return String(headers[name] ?? '');
}

/** The element that is `depth` elements from the end, or the first one; undefined without any. */
function fromEnd(list: string, depth: number): string | undefined {
	let found: string | undefined;
	let at = 0;
	for (const element of elementsFromEnd(list)) {
		found = element;
		at += 1;
		if (at === depth) break;
	}
	return found;
}

/** Not from the start: an unbalanced quote of a client would change the meaning of what proxies append. */
function* elementsFromEnd(list: string): Generator<string> {
	const hasQuotes = list.includes('"');
	let end = list.length;
	while (end >= 0) {
		const comma = end === 0 ? -1 : hasQuotes ? unquotedComma(list, end) : list.lastIndexOf(',', end - 1);
		const element = list.slice(comma + 1, end).trim();
		if (element !== '') yield element;
		end = comma;
	}
}

function unquotedComma(list: string, end: number): number {
	let isQuoted = false;
	for (let at = end - 1; at >= 0; at -= 1) {
		if (list[at] === '"' && !isEscaped(list, at)) isQuoted = !isQuoted;
		else if (list[at] === ',' && !isQuoted) return at;
	}
	return -1;
}

function isEscaped(text: string, at: number): boolean {
	let first = at;
	while (text[first - 1] === '\\') first -= 1;
	return (at - first) % 2 === 1;
}

function unquoted(text: string): string {
	return /^"(.*)"$/.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1').trim() ?? text;
}

// RFC 7239 §4, but values that should be quoted, such as `for=[2001:db8::1]:4711`, may lack the quotes.
const parameterFormat = /\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*)\s*(?:;|$)/y;

/** The parameters of an element of `Forwarded`, by name in lower case; none if it is malformed. */
function parametersOf(element: string): ReadonlyMap<string, string> {
	const parameters = new Map<string, string>();
	parameterFormat.lastIndex = 0;
	while (parameterFormat.lastIndex < element.length) {
		const [, name, value] = parameterFormat.exec(element) ?? [];
		const key = name?.toLowerCase();
		if (key === undefined || value === undefined || parameters.has(key)) return new Map();
		parameters.set(key, unquoted(value));
	}
	return parameters;
}

const bracketed = /^\[([^\]]*)\](?::[^:]*)?$/;
const mapped = /^::ffff:(?=[\d.]+$)/;

/** The IP address in an address that may have brackets, a port and a zone. An IPv4-mapped one becomes the IPv4 address. */
function addressOf(node: string): string | undefined {
	if (isIP(node) === 4) return node;
	const inner = bracketed.exec(node)?.[1];
	const spellings = inner === undefined ? [node, node.replace(/:\d*$/, '')] : [inner];
	const address = spellings.map((text) => text.replace(/%.*$/, '')).find((text) => isIP(text) !== 0);
	if (address === undefined || !isIPv6(address)) return address;
	return new SocketAddress({ address, family: 'ipv6' }).address.replace(mapped, '');
}

function protocolOf(text: string): Client['protocol'] | undefined {
	const protocol = text.toLowerCase();
	return protocol === 'http' || protocol === 'https' ? protocol : undefined;
}

// RFC 9110 §7.2: links are built from it.
const hostFormat = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

function hostOf(text: string): string | undefined {
	return hostFormat.test(text) ? text : undefined;
}
